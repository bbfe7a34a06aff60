package import JobCore

/// The rate limit of an engine's reports: an engine that floods the runner must not delay others.
///
/// Each line costs the same, expensive ones a multiple. Log data is free of charge, because its writer waits
/// until the runner takes it.
package struct EngineAllowance {
  /// Lines per second: a base, and an addition for each attempt.
  private static let lines: UInt64 = 500
  private static let linesOfAttempt: UInt64 = 20
  /// The maximum burst.
  private static let burst = Interval.seconds(8)
  /// The end of the time that all lines so far account for.
  private var usedUntil = Instant(nanoseconds: 0)

  package init() {}

  /// Charges a line; false when the allowance is used up.
  package mutating func take(_ cost: UInt64, attempts: Int, at now: Instant) -> Bool {
    let lines = Self.lines + Self.linesOfAttempt * UInt64(min(max(0, attempts), 1_000_000))
    usedUntil = max(usedUntil, now) + Interval.seconds(1) * cost / lines
    return usedUntil - now <= Self.burst
  }
}
