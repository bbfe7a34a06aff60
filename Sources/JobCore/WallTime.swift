/// A point in civil time, in whole milliseconds since 1970-01-01T00:00:00Z, for showing and storing,
/// and for what is asked for at a time of day.
///
/// Nothing is ever measured with it: people and network daemons set the clock it comes from.
package struct WallTime: Hashable, Comparable, Sendable {
  package var milliseconds: Int64

  package init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  package static func < (left: WallTime, right: WallTime) -> Bool {
    left.milliseconds < right.milliseconds
  }
}
