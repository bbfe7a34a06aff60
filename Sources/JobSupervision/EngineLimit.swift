/// The end of an engine's time limit for an attempt, and when its job is asked to stop: its grace before that.
///
/// If the grace is longer than half of the time, the job is asked after half of it.
package struct EngineLimit: Hashable, Sendable {
  /// On `AwakeClock`, in nanoseconds.
  package let end: UInt64
  package let stopAt: UInt64

  package init(end: UInt64, begun: UInt64, grace: UInt64) {
    self.end = end
    stopAt = end - min(grace, (end - min(begun, end)) / 2)
  }

  /// The time from `now` until the job is killed.
  ///
  /// `engineGrace`: how long the engine itself waits after the end, which is all the time left for a late
  /// request.
  package func grace(at now: UInt64, engineGrace: UInt64) -> UInt64 {
    max(end - min(now, end), engineGrace)
  }
}
