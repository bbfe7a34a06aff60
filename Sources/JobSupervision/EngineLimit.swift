/// When the time that an engine gives an attempt is up, and when its job is told: its grace before that.
///
/// A job whose grace is longer than half of its time is told when half of that is over.
package struct EngineLimit: Hashable, Sendable {
  /// On `AwakeClock`, in nanoseconds.
  package let end: UInt64
  package let stopAt: UInt64

  package init(end: UInt64, begun: UInt64, grace: UInt64) {
    self.end = end
    stopAt = end - min(grace, (end - min(begun, end)) / 2)
  }

  /// How long after `now` the job is killed.
  ///
  /// `engineGrace`: how long after the end the engine itself waits, which is all the time that is left for one
  /// that is told late.
  package func grace(at now: UInt64, engineGrace: UInt64) -> UInt64 {
    max(end - min(now, end), engineGrace)
  }
}
