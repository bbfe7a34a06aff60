internal import CLinux

/// Readings of the clock on the wall here, in the time zone of this process (localtime(3)).
package enum LocalClock {
  /// When it next shows `hour` (0…23) and `minute` (0…59), in milliseconds since 1970.
  ///
  /// `now` itself is not next. What summer time leaves out is what mktime(3) makes of it.
  package static func next(hour: Int, minute: Int, after now: Int64) -> Int64 {
    clinux_next_clock(now / 1000, Int32(hour), Int32(minute)) * 1000
  }

  /// What it shows at a time, in milliseconds since 1970: `22:05`.
  package static func text(_ milliseconds: Int64) -> String {
    let minutes = Int(clinux_local_minutes(milliseconds / 1000))
    return "\(two(minutes / 60)):\(two(minutes % 60))"
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
