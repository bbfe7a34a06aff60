package import JobCore
import JobPage
package import JobRuntime
package import JobWire

extension LiveJob {
  /// The recovery record that the launch order keeps for a job launched at `now`.
  package func recovery(launched: WallTime, at now: Instant, boot: String) -> RecoveryRecord {
    var record = row
    record.startedMilliseconds = launched.milliseconds
    record.runningSince = now
    return RecoveryRecord(record: record, boot: boot)
  }
}

extension JobRecord {
  /// Restores the worker's stop from its page.
  mutating func apply(_ stop: PageStop?) {
    let codes = StopReason.Code.allCases
    guard let stop, let code = codes.first(where: { $0.pageValue == stop.reason }) else { return }
    state = .stopping(
      StopReason(code, "it was told to stop, and the store has no reason"),
      deadline: Instant(nanoseconds: stop.deadline))
  }
}
