/// Where a job is in its life.
package enum JobState: Hashable, Sendable {
  /// Accepted, waiting. Exits: launching, ended.
  case queued(PendingReason)
  /// An engine has its attempt, which has not begun there; shown as queued. Exits: running, stopping,
  /// queued (it never began), ended.
  case away(PendingReason)
  /// Its slot and leases are taken and its supervisor is being started. Exits: running, stopping,
  /// queued (it never began, or is tried again), ended.
  case launching
  /// Its worker runs. Exits: stalled, paused, stopping, queued (deferred, or tried again), ended.
  case running
  /// It reports without advancing, and a person is asked. Exits: running, paused, stopping, queued (as
  /// above), ended.
  case stalled(since: Instant)
  /// A person paused it: its processes and its clocks are stopped. Exits: running, stalled, stopping, queued
  /// (as above), ended.
  indirect case paused(Pause)
  /// It was told to stop; at `deadline` its tree is killed. Exits: ended; queued if it had already failed and
  /// is retried.
  case stopping(StopReason, deadline: Instant)
  /// Its tree is gone. Exits: queued (redone).
  case ended(Outcome, StopReason?)
}
