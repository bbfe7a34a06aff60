import JobCore
import JobPage
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

extension Runner {
  /// Goes on where an earlier runner stopped: queued jobs queue, living trees are adopted, and what
  /// ended meanwhile gets its true end from its run record.
  func restore() {
    let isSameBoot = inheritance.boot == boot
    for row in inheritance.jobs { restore(row, isSameBoot: isSameBoot) }
    for row in inheritance.jobs where row.phase != .queued { planSuccessor(of: row.number) }
    for row in inheritance.lingering { restoreLingering(row, isSameBoot: isSameBoot) }
    inheritance = Inheritance()
    store.mend = { [unowned self] in mendStore(because: $0) }
    do throws(StoreError) {
      defer { runtime.putRestoresFirst(at: wallClock()) }
      try rebuildLost()
      removeStrayInputs()
      removeLeftovers()
      try endCommands.restore()
    } catch {
      // What it could not take in stays where it is, for the next runner.
      return note("the jobs that run cannot be taken in: \(error.message)")
    }
    do throws(StoreError) {
      let delayed = cards.values.filter { $0.delayedUntil != nil }.map(\.number)
      journal.begin(boot: boot, rewriting: delayed)
      settle()
      guard !runtime.isHoldingBack else { return }
      // A store that is mended in between asks what the journal was before.
      var journal = self.journal
      defer { self.journal = journal }
      try journal.storeBoot(cards)
    } catch {
      note("the jobs of before cannot be stored: \(error.message)")
    }
    history.prune(configuration)
  }

  /// `isRebuilt`: that it runs is a guess, as only its launch is known.
  func restore(_ row: StoredJob, isSameBoot: Bool, isRebuilt: Bool = false) {
    let card = LiveJob(row)
    cards[row.number] = card
    if let owner = row.host { return restoreHosted(row, card, owner, isSameBoot: isSameBoot) }
    guard row.phase != .queued else { return wait(row, isSameBoot: isSameBoot) }
    let live = attempt(of: row, card)
    live.hasBegun = row.phase != .launching && !isRebuilt
    guard isSameBoot else { return judgeAfterReboot(row, card, live) }
    guard row.phase != .stopping, let stop = live.page().stop else {
      return adopt(row, card, live)
    }
    // The runner of before had decided that, and could not store it.
    var stopped = row
    stopped.take(stop)
    let stoppedCard = LiveJob(stopped)
    cards[row.number] = stoppedCard
    adopt(stopped, stoppedCard, live)
  }

  /// A job that waited goes on waiting, for what is left of its time if it waited for one.
  func wait(_ row: StoredJob, isSameBoot: Bool) {
    var phase = RestoredPhase.queued
    if let delay = row.delay {
      let left = WallTime(milliseconds: delay.untilMilliseconds) - wallClock()
      // The awake clock of before the reboot means nothing any more.
      let until = isSameBoot ? delay.until : clock() + left
      phase = .delayed(until: until, delay.reason)
      cards[row.number]?.delayedUntil = until
    }
    inbox.append(restored(row, phase, attempt: row.attempt + 1))
  }

  /// No process is left, so that the attempt is over: its record may still tell how.
  private func judgeAfterReboot(_ row: StoredJob, _ card: LiveJob, _ live: Attempt) {
    var row = row
    row.stalledSince = nil
    row.runningSince = nil
    row.gpus = []
    inbox.append(restored(row, phase(of: row, card), attempt: row.attempt))
    var end = RunEnd(status: .rebooted, sample: card.sample)
    switch recordContent(of: live) {
    case .record(let record) where record.ended != nil: end = self.end(of: live, record)
    case .record, .absent, .damaged: break
    case nil:
      attempts[row.number] = live
      return lookAgain(at: live, after: .seconds(1))
    }
    inbox.append(.finished(row.number, attempt: row.attempt, end))
  }

  /// Its page lies where the runner that launched it had its runtime folder.
  private func attempt(of row: StoredJob, _ card: LiveJob) -> Attempt {
    Attempt(
      number: row.number, attempt: row.attempt, token: card.token(attempt: row.attempt),
      recordPath: home.places.runRecord(row.number, attempt: row.attempt),
      pagePath: launchOrder(row.number, attempt: row.attempt)?.page
        ?? home.page(row.number, attempt: row.attempt), isChild: false)
  }

  /// Finds out what became of an attempt, by the lock on its run record.
  private func adopt(_ row: StoredJob, _ card: LiveJob, _ live: Attempt) {
    let claim = claim(live)
    inbox.append(restored(row, phase(of: row, card), attempt: row.attempt))
    attempts[row.number] = live
    act(on: claim, live)
    if case .alive = claim { resumeStop(of: row, live) }
  }

  /// The same for an attempt of this runner's own of which it does not know whether it began.
  func adopt(_ live: Attempt) {
    attempts[live.number] = live
    act(on: claim(live), live)
  }

  /// Tells a worker to stop that the runner of before had decided to stop but had not told.
  func resumeStop(of row: StoredJob, _ live: Attempt) {
    guard row.phase == .stopping, let reason = row.stopReason, let deadline = row.stopDeadline,
      live.page().stop == nil
    else { return }
    stop(row.number, reason: reason, deadline: deadline)
  }

  /// What the lock on a run record tells.
  private enum Claim {
    /// Its supervisor holds it.
    case alive(RunRecord)
    /// It was never begun, and is forbidden now.
    case revoked
    /// Nobody holds it: what it says is final.
    case over
    /// It cannot be looked at now, so nothing is known and nothing may be done.
    case unknown
  }

  private func claim(_ live: Attempt) -> Claim {
    switch recordContent(of: live) {
    case .record: break
    case .absent, .damaged: return lost(live)
    case nil: return .unknown
    }
    do throws(JobPageError) {
      let file = try RunRecordFile(existing: live.recordPath)
      let isFree = try file.tryLock()
      let record = try file.read()
      // Also while a late supervisor holds the lock: to read this and leave.
      if record.isRevoked { return .revoked }
      guard isFree else { return .alive(record) }
      guard record.isEmpty, !live.hasBegun else { return .over }
      try file.append(.revoked)
      return .revoked
    } catch {
      note("the run record of job \(live.number) cannot be used: \(error)")
      return .unknown
    }
  }

  /// Somebody has removed the record.
  ///
  /// Whoever supervises the attempt cannot tell its end any more: what runs of it is ended, and only one
  /// that never began may be made again.
  private func lost(_ live: Attempt) -> Claim {
    live.wasSupervisorKilled = true
    return .over
  }

  /// Forbids an attempt that has not begun; false when it has, or when nothing is known of it.
  func revoke(_ live: Attempt) -> Bool {
    do throws(JobPageError) {
      let file = try RunRecordFile(path: live.recordPath)
      guard try file.tryLock() else { return false }
      let record = try file.read()
      if record.isRevoked { return true }
      guard record.isEmpty else { return false }
      try file.append(.revoked)
      return true
    } catch {
      note("the run record of job \(live.number) cannot be used: \(error)")
      return false
    }
  }

  private func act(on claim: Claim, _ live: Attempt) {
    switch claim {
    case .alive(let record): watch(live, record)
    case .over: conclude(live)
    case .revoked:
      attempts[live.number] = nil
      inbox.append(.finished(live.number, attempt: live.attempt, RunEnd(status: .revoked)))
    case .unknown: lookAgain(at: live, after: .seconds(1))
    }
  }

  func phase(of row: StoredJob, _ card: LiveJob) -> RestoredPhase {
    if row.phase == .stopping, let reason = row.stopReason, let deadline = row.stopDeadline {
      return .stopping(gpus: row.gpus, reason, deadline: deadline)
    }
    if row.phase == .launching { return .launching(gpus: row.gpus) }
    return .running(gpus: row.gpus, sample: card.sample, stalledSince: row.stalledSince)
  }

  /// `attempt` is the one that runs, or the one that a waiting job makes next.
  func restored(_ row: StoredJob, _ phase: RestoredPhase, attempt: Int) -> Event {
    var past = PastAttempts()
    past.failures = row.failures
    past.spent = row.spent
    past.runningSince = row.runningSince
    past.patience = row.patience
    return .restore(row.number, row.submission, attempt: attempt, phase, past: past)
  }

  /// Watches the supervisor of an adopted attempt.
  private func watch(_ live: Attempt, _ record: RunRecord) {
    // Between its lock and its first line: a matter of microseconds, unless somebody stopped it there
    // or emptied the record.
    guard let started = record.started else { return lookAgainSoon(at: live) }
    live.supervisorPID = started.shim.pid
    live.hasBegun = true
    inputs[live.number] = nil
    cards[live.number]?.workerPID = started.worker.pid
    if !live.hasStarted { inbox.append(.started(live.number, attempt: live.attempt)) }
    live.hasStarted = true
    do throws(SystemError) {
      try watch(live, ProcessDescriptor(started.shim))
    } catch {
      // It held the lock a moment ago: either it has ended by now, which the lock will tell, or the
      // descriptors to watch it with are lacking.
      lookAgainSoon(at: live)
    }
  }

  private func lookAgainSoon(at live: Attempt) {
    live.looks += 1
    lookAgain(at: live, after: live.looks < 50 ? .milliseconds(20) : .seconds(1))
  }

  func lookAgain(at live: Attempt, after span: Span) {
    recheckAt = clock() + span
    recheck.append(live.number)
  }

  /// Supervisors that hold their record but have not said who they are: between lock and start.
  var nextRecheck: Instant? { recheck.isEmpty ? nil : recheckAt }

  /// Looks at those again.
  func recheckAdopted() {
    let waiting = recheck
    recheck = []
    for number in waiting {
      guard let live = attempts[number] else { continue }
      if live.isUnwatched { watchAtLast(live) } else { act(on: claim(live), live) }
    }
  }

  /// The attempt goes on meanwhile; one that has ended by now waits to be reaped.
  private func watchAtLast(_ live: Attempt) {
    do throws(SystemError) {
      try watchChild(live)
      live.isUnwatched = false
    } catch {
      lookAgain(at: live, after: .seconds(1))
    }
  }
}
