import JobCore
import JobPage
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

extension LocalExecutor {
  func adopt(_ row: JobRecord, isSameBoot: Bool) {
    adopt(row, isSameBoot: isSameBoot, hasBegun: row.state != .launching, mount: inheritedMount)
  }

  /// The same where it is known whether its worker `hasBegun`.
  ///
  /// `mount`: of its run record, where that is known.
  func adopt(_ row: JobRecord, isSameBoot: Bool, hasBegun: Bool, mount: UInt64?) {
    guard let liveJob = runtime.jobs[row.number] else { return }
    let live = attempt(of: row, liveJob)
    live.hasBegun = hasBegun || mayHaveBegun(live, mount: mount)
    guard isSameBoot else { return judgeAfterReboot(row, live) }
    // The stop that the earlier runner had decided but could not store.
    let page = live.page()
    var row = row
    row.apply(page, at: .now())
    if row.state.stopReason == nil { row.apply(page.stop) }
    adopt(row, live)
  }

  /// Whether its worker may have run although its record is empty or gone.
  ///
  /// A disk that fails and is mounted again has lost unsynced writes. The page is usually in memory; otherwise
  /// only an unchanged mount proves that no write was lost.
  private func mayHaveBegun(_ live: Attempt, mount: UInt64?) -> Bool {
    let page = live.page()
    guard page.condition == .intact else { return mount == nil || mount != context.mount }
    if page.hasBegun { return true }
    if (try? FileSystemSpace(path: live.pagePath))?.isMemory == true { return false }
    return mount == nil || mount != context.mount
  }

  /// No process is left, so that the attempt is over: its record may still tell how.
  private func judgeAfterReboot(_ row: JobRecord, _ live: Attempt) {
    runtime.restore(row, isSameBoot: false)
    var end = RunEnd(status: .rebooted, sample: runtime.jobs[row.number]?.sample ?? PageSample())
    switch files.record(of: live) {
    case .record(let record) where record.ended != nil: end = self.end(of: live, record)
    case .record, .absent, .damaged: break
    case nil:
      attempts[row.number] = live
      return lookAgain(at: live, after: .seconds(1))
    }
    runtime.inbox.append(.finished(row.number, attempt: row.attempt, end))
  }

  /// Its page is in the runtime folder of the runner that launched it.
  private func attempt(of row: JobRecord, _ liveJob: LiveJob) -> Attempt {
    let order = files.launchOrder(row.number, attempt: row.attempt)
    let live = Attempt(
      number: row.number, attempt: row.attempt, token: liveJob.token(attempt: row.attempt),
      recordPath: home.paths.runRecord(row.number, attempt: row.attempt),
      pagePath: order?.page ?? home.page(row.number, attempt: row.attempt), isChild: false)
    if let order { live.places = AttemptPlaces(order.specification) }
    live.group = adoptedGroup(order, row.number, attempt: row.attempt)
    return live
  }

  /// Determines the state of an attempt by the lock on its run record.
  private func adopt(_ row: JobRecord, _ live: Attempt) {
    let claim = claim(live)
    runtime.restore(row, isSameBoot: true)
    attempts[row.number] = live
    act(on: claim, live)
    if case .alive = claim { resumeStop(of: row, live) }
  }

  /// The same for this runner's own attempt if it is unknown whether it began.
  func adopt(_ live: Attempt) {
    attempts[live.number] = live
    act(on: claim(live), live)
  }

  /// Sends the stop that the earlier runner had decided but not sent.
  private func resumeStop(of row: JobRecord, _ live: Attempt) {
    guard let stop = live.untoldStop(of: row) else { return }
    self.stop(row.number, reason: stop.reason, deadline: stop.deadline)
  }

  /// The state of a run record's lock.
  private enum Claim {
    /// Its supervisor holds the lock.
    case alive(RunRecord)
    /// It was never begun, and is forbidden now.
    case revoked
    /// The lock is free: the record is final.
    case over
    /// The record cannot be read now, so nothing is known and nothing may be done.
    case unknown
  }

  private func claim(_ live: Attempt) -> Claim {
    switch files.record(of: live) {
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
      // An empty file may have been put in its place while the worker runs.
      guard Reaping(live, at: .now()).tree.isEmpty() else { return lost(live) }
      try file.append(.revoked)
      return .revoked
    } catch {
      notes.add("the run record of job \(live.number) cannot be used: \(error)")
      return .unknown
    }
  }

  /// The record was removed or replaced.
  ///
  /// The attempt's supervisor can no longer report its end: its processes are killed, and it may be repeated
  /// only if it never began.
  private func lost(_ live: Attempt) -> Claim {
    live.wasSupervisorKilled = true
    return .over
  }

  /// Revokes an attempt that has not begun; false when it has, nil when that cannot be determined now.
  func revoke(_ live: Attempt) -> Bool? {
    do throws(JobPageError) {
      let file = try RunRecordFile(path: live.recordPath)
      guard try file.tryLock() else { return false }
      let record = try file.read()
      if record.isRevoked { return true }
      guard record.isEmpty else { return false }
      try file.append(.revoked)
      return true
    } catch {
      notes.add("the run record of job \(live.number) cannot be used: \(error)")
      guard case .system(let problem) = error, problem.isTransient else { return false }
      return nil
    }
  }

  private func act(on claim: Claim, _ live: Attempt) {
    switch claim {
    case .alive(let record): watch(live, record)
    case .over: conclude(live)
    case .revoked:
      attempts[live.number] = nil
      discard(live.group)
      runtime.inbox.append(.finished(live.number, attempt: live.attempt, RunEnd(status: .revoked)))
    case .unknown: lookAgain(at: live, after: .seconds(1))
    }
  }

  /// Watches the supervisor of an adopted attempt.
  private func watch(_ live: Attempt, _ record: RunRecord) {
    // Between its lock and its first line: a matter of microseconds, unless the supervisor was stopped there or
    // the record was emptied.
    guard let started = record.started else { return lookAgainSoon(at: live) }
    live.supervisorPID = started.shim.pid
    live.hasBegun = true
    inputs[live.number] = nil
    runtime.jobs[live.number]?.workerPID = started.worker.pid
    runtime.jobs[live.number]?.isGrouped = live.group?.exists == true
    if !live.hasStarted { runtime.inbox.append(.started(live.number, attempt: live.attempt)) }
    live.hasStarted = true
    updateWeight(live.number)
    // Taken from it with the controller, while the unit was started again.
    if let group = live.group, let job = runtime.jobs[live.number] {
      limitMemory(of: job, in: group)
    }
    do throws(SystemError) {
      try watch(live, ProcessDescriptor(started.shim))
      settlePause(live)
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

  func lookAgain(at live: Attempt, after span: Interval) {
    recheckAt = Instant.now() + span
    recheck.append(live.number)
  }

  /// Checks those attempts again.
  func lookAgain() {
    let waiting = recheck
    recheck = []
    for number in waiting {
      guard let live = attempts[number] else { continue }
      if live.isUnwatched { watchAtLast(live) } else { act(on: claim(live), live) }
    }
  }

  /// The attempt continues meanwhile; if it has ended, it is waiting to be reaped.
  private func watchAtLast(_ live: Attempt) {
    do throws(SystemError) {
      try watchChild(live)
      live.isUnwatched = false
    } catch {
      lookAgain(at: live, after: .seconds(1))
    }
  }
}
