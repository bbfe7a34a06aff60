internal import CLinux

/// Local time in the time zone of this process (localtime(3)).
package enum LocalClock {
  /// Calendar and clock at one instant.
  package struct Reading: Hashable, Sendable {
    package var year: Int
    /// From 1 to 12.
    package var month: Int
    /// From 1 to 31.
    package var day: Int
    package var hour: Int
    package var minute: Int
    package var second: Int
    /// From 0 (Sunday) to 6.
    package var weekday: Int
  }

  /// The next time it shows `hour` (0…23) and `minute` (0…59), in milliseconds since 1970.
  ///
  /// `now` itself does not count. A time that summer time skips becomes the moment of the change; a time
  /// that occurs twice counts twice.
  package static func next(hour: Int, minute: Int, after now: Int64) -> Int64 {
    clinux_next_clock(now / 1000, Int32(hour), Int32(minute)) * 1000
  }

  /// Local date and time at a time, both in milliseconds since 1970, the former as if it were UTC.
  package static func shown(_ milliseconds: Int64) -> Int64 {
    let milliseconds = held(milliseconds)
    let second = floored(milliseconds)
    return clinux_local_shown(second) * 1000 + (milliseconds - second * 1000)
  }

  /// The time at which the clock shows this: the first of two, and for a skipped one what mktime(3)
  /// returns.
  package static func time(showing milliseconds: Int64) -> Int64 {
    let milliseconds = held(milliseconds)
    let second = floored(milliseconds)
    return clinux_local_time(second) * 1000 + (milliseconds - second * 1000)
  }

  /// Within 9,999 years of 1970: a file may say anything, and the C library has no calendar for it.
  private static func held(_ milliseconds: Int64) -> Int64 {
    max(-315_537_897_600_000, min(milliseconds, 315_537_897_600_000))
  }

  private static func floored(_ milliseconds: Int64) -> Int64 {
    milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000
  }

  /// The reading at a time, in milliseconds since 1970.
  package static func reading(_ milliseconds: Int64) -> Reading {
    var raw = clinux_reading()
    unsafe clinux_local_reading(milliseconds / 1000, &raw)
    return Reading(
      year: Int(raw.year), month: Int(raw.month), day: Int(raw.day), hour: Int(raw.hour),
      minute: Int(raw.minute), second: Int(raw.second), weekday: Int(raw.weekday))
  }

  /// The time of this reading, in milliseconds since 1970; the day may lie outside of its month, as 0,
  /// which is the last of the month before.
  package static func milliseconds(
    year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0
  ) -> Int64 {
    clinux_local_second(Int32(year), Int32(month), Int32(day), Int32(hour), Int32(minute)) * 1000
  }

  /// The clock at a time, in milliseconds since 1970: `22:05`.
  package static func text(_ milliseconds: Int64) -> String {
    let reading = reading(milliseconds)
    return "\(two(reading.hour)):\(two(reading.minute))"
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
