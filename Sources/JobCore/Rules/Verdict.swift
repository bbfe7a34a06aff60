/// The consequence of an attempt's end for its job.
enum Verdict: Hashable, Sendable {
  case ended(Outcome, StopReason?)
  /// It goes back to the queue with its next attempt, after a delay.
  case again(PendingReason, after: Interval, failed: Bool)
}

extension Job {
  /// The verdict on the end of the current attempt.
  ///
  /// Inlined, because the call copies the whole job.
  @inline(__always)
  func verdict(on end: RunEnd, backOff: BackOff) -> Verdict {
    if case .stopping(let stop) = phase, isDue(to: stop, end) {
      return verdict(on: end, stoppedFor: stop.reason, backOff)
    }
    switch end.status {
    // Its exit was not seen, but all of its work was done and declared a success.
    case .supervisorLost where end.isDeclaredWhole && submission.options.speaksPage:
      return .ended(.succeeded, nil)
    case .supervisorLost:
      return .ended(
        .interrupted,
        StopReason(.supervisorLost, "its supervisor died and could not record how the job ended"))
    case .rebooted: return verdictAfterReboot
    // Regardless of its record: an attempt that was reported as started is never repeated.
    case .revoked where hasBegun:
      return .ended(
        .interrupted,
        StopReason(
          .supervisorLost, "it had started, and no record says how it ended"))
    case .revoked:
      let reason = PendingReason(.retry, "it had not started when the runner ended")
      return .again(reason, after: .zero, failed: false)
    case .cannotStart: return failure(backOff)
    case .engine(let end): return verdict(on: end, backOff)
    case .hostEnded: return .ended(end.declared == .success ? .succeeded : .failed, nil)
    case .exited, .signalled, .completed, .outlives: break
    }
    if case .deferred(let delay) = end.declared, submission.options.speaksPage, end.hasExited {
      let reason = PendingReason(.notBefore, "it asked to be retried in \(delay.words)")
      return .again(reason, after: delay, failed: false)
    }
    return end.isSuccess(speaksPage: submission.options.speaksPage)
      ? .ended(.succeeded, nil)
      : failure(backOff)
  }

  /// Whether the stop can have caused the end, which it cannot if it was decided later.
  ///
  /// The start of an attempt on another machine is reported late, so the computed end is never too early.
  private func isDue(to stop: Stop, _ end: RunEnd) -> Bool {
    let endedAt = end.endedAt ?? end.ran.map { watch.startedAt + $0 }
    return endedAt.map { $0 >= stop.decidedAt } ?? true
  }

  /// After a stop only a declared success with all of the work done counts as one.
  private func verdict(
    on end: RunEnd, stoppedFor reason: StopReason, _ backOff: BackOff
  ) -> Verdict {
    if end.isDeclaredWhole { return .ended(.succeeded, nil) }
    // Only attempts with a confirmed end are retried.
    if reason.code.outcome == .expired, end.isSeen { return expiry(reason, backOff) }
    guard case .engine(.unseen(let why)) = end.status else {
      return .ended(reason.code.outcome, reason)
    }
    let unseen =
      "\(reason.message); \(why). Its end was not observed; it may still be running there"
    return .ended(reason.code.outcome, StopReason(reason.code, unseen))
  }

  private var verdictAfterReboot: Verdict {
    guard submission.options.resumable else {
      return .ended(.interrupted, StopReason(.reboot, "the machine was restarted"))
    }
    let reason = PendingReason(.retry, "it resumes after the restart of the machine")
    return .again(reason, after: .zero, failed: false)
  }

  /// The verdict on an engine's report of an attempt whose worker reported nothing.
  private func verdict(on end: RunEnd.EngineEnd, _ backOff: BackOff) -> Verdict {
    switch end {
    case .cancelled(let why): return .ended(.cancelled, StopReason(.user, why))
    case .overLimit(let why): return expiry(StopReason(.limit, why), backOff)
    case .refused(let why): return .ended(.refused, StopReason(.engine, why))
    case .late(let why): return .ended(.refused, StopReason(.late, why))
    case .outOfMemory: return failure(backOff)
    case .preempted(let why): return interruption(StopReason(.preempted, why))
    case .lost(let why), .unseen(let why): return interruption(StopReason(.supervisorLost, why))
    }
  }

  private func interruption(_ reason: StopReason) -> Verdict {
    guard submission.options.resumable else { return .ended(.interrupted, reason) }
    let again = PendingReason(.retry, "another attempt: \(reason.message)")
    return .again(again, after: .zero, failed: false)
  }

  /// A failure, or the next attempt while there are retries left.
  private func failure(_ backOff: BackOff) -> Verdict {
    guard failures < submission.options.retries else { return .ended(.failed, nil) }
    return retry(after: "failed", backOff)
  }

  /// The same of an expiry, where that is tried again.
  private func expiry(_ reason: StopReason, _ backOff: BackOff) -> Verdict {
    let options = submission.options
    guard options.retriesExpired, failures < options.retries else {
      return .ended(.expired, reason)
    }
    return retry(after: "expired", backOff)
  }

  private func retry(after end: String, _ backOff: BackOff) -> Verdict {
    let delay = submission.options.retryDelay ?? backOff.delay(after: failures, of: number)
    let reason = PendingReason(
      .retry,
      "attempt \(attempt) of \(submission.options.retries + 1) \(end); the next one starts in"
        + " \(delay.words)")
    return .again(reason, after: delay, failed: true)
  }
}

extension RunEnd {
  /// Whether the worker declared success, with all of its work done.
  fileprivate var isDeclaredWhole: Bool {
    declared == .success && sample.total > 0 && sample.completed >= sample.total
  }

  /// Whether the worker's own end was seen.
  fileprivate var isSeen: Bool {
    switch status {
    case .exited, .signalled: true
    case .cannotStart, .revoked, .supervisorLost, .rebooted, .engine, .completed, .hostEnded,
      .outlives:
      false
    }
  }

  fileprivate var hasExited: Bool {
    switch status {
    case .exited, .completed: true
    case .signalled, .cannotStart, .revoked, .supervisorLost, .rebooted, .engine, .hostEnded,
      .outlives:
      false
    }
  }

  /// Whether the worker did its work.
  ///
  /// A plain command is judged by its status. A definition's worker may declare its outcome besides,
  /// but a declared success does not outweigh a bad status.
  fileprivate func isSuccess(speaksPage: Bool) -> Bool {
    if status == .completed { return declared == .success }
    guard status == .exited(0) else { return false }
    guard speaksPage else { return true }
    switch declared {
    case .nothing, .success, .deferred: return true
    case .failure: return false
    }
  }
}
