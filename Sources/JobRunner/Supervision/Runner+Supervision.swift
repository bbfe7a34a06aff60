import JobCore
import JobPage
import JobRuntime
import JobWire
import LinuxSystem

extension Runner {
  /// Tells the worker to stop: by its page, and a plain command by SIGTERM as well.
  func stop(_ number: JobNumber, reason: StopReason, deadline: Instant) {
    guard let live = attempts[number], let card = cards[number] else {
      return forgetHeldLaunch(of: number)
    }
    // A worker that removed its page can still be told as any program is.
    var hearsPage = card.submission.speaksPage
    do {
      try PageControl(path: live.pagePath).stop(
        reason: reason.code.pageValue, deadline: deadline.nanoseconds)
    } catch {
      note("the page of job \(number) cannot be written: \(error)")
      hearsPage = false
    }
    if !hearsPage { signal(live, Signal.terminate) }
  }

  /// Ends the whole tree now; a hosted job ends without its process.
  ///
  /// Asked again, which the core does after 5 s, 10 s and so on, it no longer relies on a supervisor that
  /// somebody stops: first its tree is ended without it, then it itself.
  func kill(_ number: JobNumber) {
    guard let live = attempts[number] else { return }
    if cards[number]?.host != nil { return endGrace(of: live) }
    if live.kills == 0 { leaveReason(live) }
    live.kills += 1
    let supervisor = live.supervisorPID.flatMap { ProcessStatus(pid: $0) }
    let isStopped = live.supervisor != nil && supervisor?.isStopped == true
    if live.supervisor == nil || isStopped && live.kills > 1 { live.tree.kill() }
    signal(live, isStopped && live.kills > 2 ? Signal.kill : Signal.user1)
  }

  /// Says in the page why the job is ended: the store may not take that now, and this runner may be gone
  /// before it does.
  private func leaveReason(_ live: Attempt) {
    guard case .stopping(let reason, let deadline)? = cards[live.number]?.state,
      live.page().stop == nil
    else { return }
    // Without a page it is known as long as this runner lives.
    try? PageControl(path: live.pagePath).stop(
      reason: reason.code.pageValue, deadline: deadline.nanoseconds)
  }

  /// Signals the supervisor, and lets one go on that somebody has stopped.
  private func signal(_ live: Attempt, _ signal: Int32) {
    do {
      try live.supervisor?.signal(signal)
      try live.supervisor?.signal(Signal.continue)
    } catch {
      note("the supervisor of job \(live.number) cannot be signalled: \(error)")
    }
  }

  /// Looks at the job's page and log.
  func sample(_ number: JobNumber) {
    guard let live = attempts[number], var card = cards[number] else { return }
    let page = live.page()
    var sample = PageSample(page)
    sample.logBytes = ((try? File.status(home.places.log(number))) ?? nil)?.size ?? 0
    let source = card.origin.source
    observe(&sample, of: live, &card)
    // Other counts, or counts of something else, say nothing about these.
    if sample.unit != card.sample.unit || source != card.origin.source {
      card.estimator = ProgressEstimator()
    }
    if sample.total > 0 { recallEarlierRuns(&card) }
    if card.take(sample, at: clock(), wallClock()) {
      lastLook += 1
      card.movedAt = lastLook
    }
    card.warning = page.condition.warning
    correctWorker(of: live, &card)
    cards[number] = card
    runtime.texts[number] = PageText(page)
    inbox.append(.sampled(number, sample.judged(card.origin, card.submission.observation)))
  }

  /// A start that was tried again has another process than the one that was told first.
  private func correctWorker(of live: Attempt, _ card: inout LiveJob) {
    guard let pid = card.workerPID, !ProcessStatus.exists(pid), card.host == nil,
      case .record(let record)? = try? RunRecordFile.content(of: live.recordPath),
      let worker = record.started?.worker
    else { return }
    card.workerPID = worker.pid
  }

  /// The supervisor has ended, however it came.
  func supervisorEnded(_ number: JobNumber) {
    guard let live = attempts[number] else { return }
    _ = live.readAnnouncement()
    stopListening(to: live)
    if let supervisor = live.supervisor.take() { loop.remove(supervisor.number) }
    if live.isChild, let pid = live.supervisorPID,
      case .ended(let end)? = try? ChildProcess.reap(pid)
    {
      switch end.status {
      case .signalled: live.wasSupervisorKilled = true
      case .exited(LaunchOrder.heldExitCode):
        live.lack =
          RunRecord(parsing: live.announced).heldBecause ?? "its supervisor lacked something"
      case .exited: break
      }
    }
    conclude(live)
  }

  /// The supervisor is gone, so its record is final: the true end, or none.
  ///
  /// Without an end in it, what is left of the tree is ended first, because nobody else will.
  func conclude(_ live: Attempt) {
    switch recordContent(of: live) {
    case .record(let record) where record.ended != nil: finish(live, record)
    case .record(let record) where record.isEmpty && live.lack != nil: putOff(live)
    case .record, .absent, .damaged: sweeps[live.number] = Sweep(live, at: clock())
    case nil: lookAgain(at: live, after: .seconds(1))
    }
  }

  /// What is at the place of the attempt's record; nil when that cannot be told now.
  ///
  /// What is no file is taken out of the way, as nobody can write an end there.
  func recordContent(of live: Attempt) -> RunRecordFile.Content? {
    do throws(JobPageError) {
      let content =
        try reading(live.recordPath) { () throws(JobPageError) in
          try RunRecordFile.content(of: live.recordPath)
        } ?? .absent
      if content == .damaged {
        note("the run record of job \(live.number) is no file; it is removed")
        cleanup.discard(live.recordPath)
      }
      return content
    } catch {
      note("the run record of job \(live.number) cannot be read: \(error)")
      return nil
    }
  }

  /// Nothing of the attempt began, and the same can be tried again.
  private func putOff(_ live: Attempt) {
    attempts[live.number] = nil
    let gpus = cards[live.number]?.gpus ?? []
    hold(.launch(live.number, attempt: live.attempt, gpus: gpus), because: live.lack ?? "")
  }

  /// Hands the end of an attempt to the core; nothing of its tree is left.
  func finish(_ live: Attempt, _ record: RunRecord) {
    let end = end(of: live, record)
    attempts[live.number] = nil
    // What it has begun to read must not be another attempt's.
    if record.started != nil { inputs[live.number] = nil }
    // A worker that ended at once may have been quicker than the news of its start.
    if record.started != nil, !live.hasStarted {
      live.hasBegun = true
      inbox.append(.started(live.number, attempt: live.attempt))
    }
    inbox.append(.finished(live.number, attempt: live.attempt, end))
  }

  /// What the run record and the page say of an attempt whose supervisor is gone.
  func end(of live: Attempt, _ record: RunRecord) -> RunEnd {
    live.end = record.ended?.status == .exited(0)
    sample(live.number)
    let page = live.page()
    var end = RunEnd(status: .supervisorLost, declared: RunEnd.Declared(page))
    end.sample = cards[live.number]?.sample ?? PageSample()
    if let ended = record.ended {
      end.status = status(of: ended, live)
      end.endedAt = lateEnd(ended, record)
    } else if record.isEmpty, !live.hasBegun, live.wasSupervisorKilled, mayLaunchAgain(live) {
      end.status = .revoked
    } else if record.started == nil, !live.hasBegun {
      end.status = .cannotStart("its supervisor ended before the job began")
    }
    if !page.message.isEmpty { cards[live.number]?.message = page.message }
    if end.hasFailed, cards[live.number]?.message == nil, let message = failureMessage(of: live) {
      cards[live.number]?.message = message
    }
    if !page.title.isEmpty { cards[live.number]?.title = page.title }
    if !page.subtitle.isEmpty { cards[live.number]?.subtitle = page.subtitle }
    return end
  }

  /// Whether an attempt that never began may be made again, which is forbidden to it from now on.
  private func mayLaunchAgain(_ live: Attempt) -> Bool {
    let count = (cards[live.number]?.failedStarts ?? 0) + 1
    cards[live.number]?.failedStarts = count
    return count <= Limits.failedStarts && revoke(live)
  }

  /// When the worker ended, if its supervisor had to wait for room to write that down.
  private func lateEnd(_ ended: RunRecord.Ended, _ record: RunRecord) -> Instant? {
    guard record.hasWaited else { return nil }
    let (age, overflow) = wallClock().milliseconds
      .subtractingReportingOverflow(ended.endedMilliseconds)
    guard !overflow else { return nil }
    let now = clock().nanoseconds
    let past = Span.milliseconds(UInt64(clamping: age)).nanoseconds
    return Instant(nanoseconds: now - min(now, past))
  }

  /// What the supervisor wrote as its last act.
  func status(of ended: RunRecord.Ended, _ live: Attempt) -> RunEnd.Status {
    cards[live.number]?.cpuMicroseconds = ended.cpuMicroseconds
    cards[live.number]?.maxResidentBytes = ended.residentBytes
    cards[live.number]?.record(
      from: WallTime(milliseconds: ended.startedMilliseconds),
      to: WallTime(milliseconds: ended.endedMilliseconds))
    if !ended.message.isEmpty { cards[live.number]?.message = ended.message }
    return switch ended.status {
    case .exited(let code): .exited(code)
    case .signalled(let number): .signalled(number)
    case .cannotStart: .cannotStart(ended.message)
    }
  }

  /// Removes what an ended job no longer needs and forgets it; the store has its history.
  func retire(_ number: JobNumber) {
    inputs[number] = nil
    if let card = runtime.retire(number) {
      forgetInput(of: card)
      if let owner = card.host {
        retireHosted(number, card, by: owner)
      } else {
        cleanup.removeAttempts(of: number, count: card.attempt)
      }
    }
    memory.note(MemoryKeeper.bytesOfOne)
    history.jobEnded(configuration)
  }
}

extension PageSample {
  /// The worker's words of a page.
  init(_ page: PageSnapshot) {
    self.init()
    completed = page.completed
    total = page.total
    reports = page.reports
    unit = page.unit == .bytes ? .bytes : .items
    textSequence = page.textSequence
    quietUntil = Instant(nanoseconds: page.quietUntil)
  }
}

extension RunEnd {
  /// The worker's own status is one of failure.
  fileprivate var hasFailed: Bool {
    switch status {
    case .exited(let code): code != 0
    case .signalled: true
    case .cannotStart, .revoked, .supervisorLost, .rebooted, .completed, .hostEnded, .outlives:
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

extension PageText {
  init(_ page: PageSnapshot) {
    self.init()
    title = page.title.isEmpty ? nil : page.title
    subtitle = page.subtitle.isEmpty ? nil : page.subtitle
  }
}

extension PageSnapshot.Condition {
  /// What is wrong with the page, in a sentence; nil when nothing is.
  var warning: String? {
    switch self {
    case .intact: nil
    case .truncated: "the job cut its page short; its progress is unknown"
    case .garbage: "the job wrote nonsense into its page; its progress is unknown"
    case .unreadable: "the job's page is gone; its progress is unknown"
    }
  }
}
