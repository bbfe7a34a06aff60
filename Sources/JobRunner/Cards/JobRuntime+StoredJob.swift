import JobCore
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

// Jobs that an earlier runner left in the store.
extension JobRuntime {
  /// A job that had begun goes on with the attempt it is in.
  func restore(_ row: StoredJob) {
    restore(row, phase(of: row), attempt: row.attempt)
  }

  /// A job that waited goes on waiting, for what is left of its time if it waited for one.
  func restoreWaiting(_ row: StoredJob, isSameBoot: Bool) {
    var phase = RestoredPhase.queued
    if let delay = row.delay {
      let left = WallTime(milliseconds: delay.untilMilliseconds) - WallTime.now()
      // The awake clock of before the reboot means nothing any more.
      let until = isSameBoot ? delay.until : Instant.now() + left
      phase = .delayed(until: until, delay.reason)
      jobs[row.number]?.delayedUntil = until
    }
    restore(row, phase, attempt: row.attempt + 1)
  }

  private func phase(of row: StoredJob) -> RestoredPhase {
    if row.phase == .stopping, let reason = row.stopReason, let deadline = row.stopDeadline {
      return .stopping(gpus: row.gpus, reason, deadline: deadline)
    }
    if row.phase == .launching { return .launching(gpus: row.gpus) }
    return .running(
      gpus: row.gpus, sample: jobs[row.number]?.sample ?? PageSample(),
      stalledSince: row.stalledSince)
  }

  /// `attempt` is the one that runs, or the one that a waiting job makes next.
  private func restore(_ row: StoredJob, _ phase: RestoredPhase, attempt: Int) {
    var past = PastAttempts()
    past.failures = row.failures
    past.spent = row.spent
    past.runningSince = row.runningSince
    past.patience = row.patience
    restore(row.number, row.submission, phase, attempt: attempt, past: past)
  }
}

// Launches that come to nothing.
extension JobRuntime {
  /// Whether this attempt is still to be made; the scheduler is told of one that is not.
  func mayLaunch(_ number: JobNumber, attempt: Int) -> Bool {
    guard jobs[number] != nil else { return false }
    if case .launching? = scheduler.snapshot(number)?.state { return true }
    neverBegan(number, attempt: attempt)
    return false
  }

  /// The job was stopped before its attempt began.
  func neverBegan(_ number: JobNumber, attempt: Int) {
    let end = RunEnd(status: .cannotStart("it was stopped before it began"))
    inbox.append(.finished(number, attempt: attempt, end))
  }
}
