package import JobCore

/// How much an engine may tell in some time: one that prints without end costs nobody else the runner.
///
/// Each line costs the same, dear ones some more. What brings much of a log costs nothing: its writer waits
/// until it is taken.
package struct EngineAllowance {
  /// Lines a second: so many, and so many for each of its attempts.
  private static let lines: UInt64 = 500
  private static let linesOfAttempt: UInt64 = 20
  /// So much of it may come at once.
  private static let burst = Interval.seconds(8)
  /// Until then all lines that came were allowed to come.
  private var usedUntil = Instant(nanoseconds: 0)

  package init() {}

  /// Takes what a line costs; false when the allowance is used up.
  package mutating func take(_ cost: UInt64, attempts: Int, at now: Instant) -> Bool {
    let lines = Self.lines + Self.linesOfAttempt * UInt64(min(max(0, attempts), 1_000_000))
    usedUntil = max(usedUntil, now) + Interval.seconds(1) * cost / lines
    return usedUntil - now <= Self.burst
  }
}
