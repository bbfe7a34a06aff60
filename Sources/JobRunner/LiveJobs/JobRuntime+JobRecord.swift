import JobCore
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

// Jobs that an earlier runner left in the store.
extension JobRuntime {
  func restore(_ row: JobRecord, isSameBoot: Bool) {
    restore(LiveJob(row), isSameBoot: isSameBoot, at: .now())
  }
}

// Launches that fail.
extension JobRuntime {
  /// Whether this attempt should still be made; otherwise the scheduler is informed.
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
