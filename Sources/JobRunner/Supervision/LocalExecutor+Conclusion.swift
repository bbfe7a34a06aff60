import JobCore
import JobPage
import JobRuntime
import JobWire
import LinuxSystem
import MachineProbes

extension LocalExecutor {
  /// The supervisor has ended, however it came.
  func supervisorEnded(_ number: JobNumber) {
    guard let live = attempts[number] else { return }
    _ = live.readAnnouncement()
    stopListening(to: live)
    if let supervisor = live.supervisor.take() { context.loop.remove(supervisor.number) }
    if live.isChild, let pid = live.supervisorPID,
      case .ended(let end)? = try? ChildProcess.reap(pid)
    {
      switch end.status {
      case .signalled: live.wasSupervisorKilled = true
      case .exited(LaunchOrder.heldExitCode):
        live.lack =
          RunRecord(parsing: live.announced).heldBecause ?? "its supervisor lacked a resource"
      case .exited: break
      }
    }
    conclude(live)
  }

  /// The supervisor is gone, so its record is final: the true end, or none.
  ///
  /// Without an end in it, the rest of the tree is ended first, because nothing else ends it.
  func conclude(_ live: Attempt) {
    // What it has sent was in its record before: all of that, unless the disk had to be waited for.
    let announced = RunRecord(parsing: live.announced)
    if let end = announced.ended?.endedMilliseconds,
      (0..<40).contains(WallTime.now().milliseconds - end)
    {
      return finish(live, announced)
    }
    switch files.record(of: live) {
    case .record(let record) where record.ended != nil: finish(live, record)
    case .record(let record) where record.isEmpty && live.lack != nil: putOff(live)
    case .record, .absent, .damaged: reapings[live.number] = Reaping(live, at: Instant.now())
    case nil: lookAgain(at: live, after: .seconds(1))
    }
  }

  /// Nothing of the attempt began, and the same can be tried again.
  private func putOff(_ live: Attempt) {
    attempts[live.number] = nil
    discard(live.group)
    let gpus = runtime.jobs[live.number]?.gpus ?? []
    hold(.launch(live.number, attempt: live.attempt, gpus: gpus), because: live.lack ?? "")
  }

  /// Hands the end of an attempt to the core; nothing of its tree is left.
  func finish(_ live: Attempt, _ record: RunRecord) {
    var isForbidden = false
    if record.isEmpty, !live.hasBegun, live.wasSupervisorKilled {
      guard let answer = mayLaunchAgain(live) else {
        return lookAgain(at: live, after: .seconds(1))
      }
      isForbidden = answer
    }
    let end = end(of: live, record, isForbidden: isForbidden)
    attempts[live.number] = nil
    discard(live.group)
    // What it has begun to read must not be another attempt's.
    if record.started != nil { inputs[live.number] = nil }
    // A worker that ended at once may have been quicker than the news of its start.
    if record.started != nil, !live.hasStarted {
      live.hasBegun = true
      runtime.inbox.append(.started(live.number, attempt: live.attempt))
    }
    runtime.inbox.append(.finished(live.number, attempt: live.attempt, end))
  }

  /// What the run record and the page say of an attempt whose supervisor is gone.
  ///
  /// `isForbidden`: it never began, and may be made again.
  func end(of live: Attempt, _ record: RunRecord, isForbidden: Bool = false) -> RunEnd {
    live.end = record.ended?.status == .exited(0)
    if let worker = record.started?.worker { runtime.jobs[live.number]?.workerPID = worker.pid }
    // After a reboot the page is gone, and what was known of the job stays.
    if attempts[live.number] != nil { sampler.sample(live) }
    let page = live.page()
    var end = RunEnd(status: .supervisorLost, declared: RunEnd.Declared(page))
    end.sample = runtime.jobs[live.number]?.sample ?? PageSample()
    if let ended = record.ended {
      end.status = status(of: ended, record.transferred, live)
      end.processorTime = .microseconds(ended.cpuMicroseconds)
      end.endedAt = lateEnd(ended, record)
    } else if isForbidden {
      end.status = .revoked
    } else if record.started == nil, !live.hasBegun {
      end.status = .cannotStart("its supervisor ended before the job began")
    }
    if !page.message.isEmpty { runtime.jobs[live.number]?.message = page.message }
    // What a job has said on its way does not hide why it failed.
    let isOnTheWay =
      page.outcome == .none && runtime.jobs[live.number]?.message == page.message
    if end.hasFailed, runtime.jobs[live.number]?.message == nil || isOnTheWay,
      let message = sampler.failureMessage(of: live.number)
    {
      runtime.jobs[live.number]?.message = message
    }
    if !page.title.isEmpty { runtime.jobs[live.number]?.title = page.title }
    if !page.subtitle.isEmpty { runtime.jobs[live.number]?.subtitle = page.subtitle }
    return end
  }

  /// Whether an attempt that never began may be made again, which is forbidden to it from now on; nil
  /// when that cannot be told now.
  private func mayLaunchAgain(_ live: Attempt) -> Bool? {
    let count = (runtime.jobs[live.number]?.failedStarts ?? 0) + 1
    guard count <= Limits.failedStarts else { return false }
    guard let isForbidden = revoke(live) else { return nil }
    runtime.jobs[live.number]?.failedStarts = count
    return isForbidden
  }

  /// When the worker ended, if its supervisor had to wait for room to write that down.
  private func lateEnd(_ ended: RunRecord.Ended, _ record: RunRecord) -> Instant? {
    guard record.hasWaited else { return nil }
    let (age, overflow) = WallTime.now().milliseconds
      .subtractingReportingOverflow(ended.endedMilliseconds)
    guard !overflow else { return nil }
    let now = Instant.now().nanoseconds
    let past = Interval.milliseconds(UInt64(clamping: age)).nanoseconds
    return Instant(nanoseconds: now - min(now, past))
  }

  /// What the supervisor wrote as its last act.
  func status(
    of ended: RunRecord.Ended, _ transferred: BytesTransferred?, _ live: Attempt
  ) -> RunEnd.Status {
    let millijoules = live.energyMark.flatMap {
      energy.share(of: ended.cpuMicroseconds, since: $0, at: .now(), slept: .slept())
    }
    runtime.jobs[live.number]?.take(
      ended, transferred, processorMillijoules: millijoules, bytesSent: bytesSent(by: live))
    return switch ended.status {
    case .exited(let code): .exited(code)
    case .signalled(let number): .signalled(number)
    case .cannotStart: .cannotStart(ended.message)
    }
  }
}

extension RunEnd {
  /// The worker's own status is one of failure.
  fileprivate var hasFailed: Bool {
    switch status {
    case .exited(let code): code != 0
    case .signalled: true
    case .cannotStart, .revoked, .supervisorLost, .rebooted, .engine, .completed, .hostEnded,
      .outlives:
      false
    }
  }
}

extension RunEnd.Declared {
  /// What the worker declared before it ended.
  init(_ page: PageSnapshot) {
    self =
      switch page.outcome {
      case .none: .nothing
      case .success: .success
      case .failure: .failure
      case .deferred: .deferred(.seconds(UInt64(page.deferSeconds)))
      }
  }
}
