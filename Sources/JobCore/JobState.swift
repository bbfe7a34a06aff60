/// Where a job is in its life.
package enum JobState: Hashable, Sendable {
  /// Accepted, waiting. Exits: launching, ended.
  case queued(PendingReason)
  /// Its slot and leases are taken and its supervisor is being started. Exits: running, stopping,
  /// ended.
  case launching
  /// Its worker runs. Exits: stalled, stopping, queued (deferred), ended.
  case running
  /// It reports without advancing, and a person is asked. Exits: running, stopping, ended.
  case stalled(since: Instant)
  /// It was told to stop; at `deadline` its tree is killed. Exits: ended.
  case stopping(StopReason, deadline: Instant)
  /// Its tree is gone. No exit.
  case ended(Outcome, StopReason?)
}
