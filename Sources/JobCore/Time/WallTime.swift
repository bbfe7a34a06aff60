/// A point in civil time, in whole milliseconds since 1970-01-01T00:00:00Z, for display, storage and schedules.
///
/// Never used for measuring: people and network daemons set that clock.
package struct WallTime: Hashable, Comparable, Sendable {
  package var milliseconds: Int64

  /// 9999-12-31T23:59:59.999Z, the last time whose year has four digits.
  package static let latest = WallTime(milliseconds: 253_402_300_799_999)

  package init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// This time, or the nearest one between 1970 and `latest`: sums of such times do not overflow.
  package var clampedToCalendar: WallTime {
    min(max(self, WallTime(milliseconds: 0)), .latest)
  }

  package static func < (left: WallTime, right: WallTime) -> Bool {
    left.milliseconds < right.milliseconds
  }

  // Times come from files with arbitrary content: no difference or sum may trap.

  /// The time from `earlier` to `later`; zero when the order is the other way round.
  package static func - (later: WallTime, earlier: WallTime) -> Interval {
    guard later > earlier else { return .zero }
    // Of an ordered pair, the bits of the difference are always its true size.
    return .milliseconds(UInt64(bitPattern: later.milliseconds &- earlier.milliseconds))
  }

  /// The time `span` later, clamped to the largest value.
  package static func + (time: WallTime, span: Interval) -> WallTime {
    let (sum, overflow) = time.milliseconds.addingReportingOverflow(Int64(span.milliseconds))
    return WallTime(milliseconds: overflow ? .max : sum)
  }

  /// The time `span` earlier, clamped to the smallest value.
  package static func - (time: WallTime, span: Interval) -> WallTime {
    let (rest, overflow) = time.milliseconds.subtractingReportingOverflow(Int64(span.milliseconds))
    return WallTime(milliseconds: overflow ? .min : rest)
  }
}
