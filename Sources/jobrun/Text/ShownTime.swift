import JobCore
import JobWire
import LinuxSystem

/// Instants as a person reads them: on the calendar and the clock of this place.
///
/// Programs get `WallTime.text`, which is UTC.
enum ShownTime {
  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  /// A weekday is unambiguous only within this many days.
  private static let daysOfWeekdays: Int64 = 6

  /// `Sat 14:02`, before the last week `12 Mar 14:02`, and in other years `12 Mar 2025`.
  static func past(_ time: WallTime, now: WallTime) -> String {
    let reading = LocalClock.reading(time.milliseconds)
    let today = LocalClock.reading(now.milliseconds)
    let first = LocalClock.milliseconds(
      year: today.year, month: today.month, day: today.day - Int(daysOfWeekdays))
    if time.milliseconds >= first, time <= now {
      return "\(weekdays[reading.weekday]) \(clock(reading))"
    }
    return reading.year == today.year
      ? "\(day(reading)) \(clock(reading))" : "\(day(reading)) \(reading.year)"
  }

  /// `22:30` before the next midnight, `Sat 22:30` within a week, `12 Mar 22:30` and
  /// `12 Mar 2027 22:30` beyond.
  static func ahead(_ time: WallTime, now: WallTime) -> String {
    let reading = LocalClock.reading(time.milliseconds)
    let today = LocalClock.reading(now.milliseconds)
    func midnight(after days: Int) -> Int64 {
      LocalClock.milliseconds(year: today.year, month: today.month, day: today.day + days)
    }
    if time.milliseconds < midnight(after: 1) { return clock(reading) }
    if time.milliseconds < midnight(after: 1 + Int(daysOfWeekdays)) {
      return "\(weekdays[reading.weekday]) \(clock(reading))"
    }
    return reading.year == today.year
      ? "\(day(reading)) \(clock(reading))" : "\(day(reading)) \(reading.year) \(clock(reading))"
  }

  /// `Sat 14 Mar 2026 14:02:33`.
  static func whole(_ time: WallTime) -> String {
    let reading = LocalClock.reading(time.milliseconds)
    return "\(weekdays[reading.weekday]) \(day(reading)) \(reading.year)"
      + " \(clock(reading)):\(two(reading.second))"
  }

  /// `14:02:33`.
  static func clock(_ time: WallTime) -> String {
    let reading = LocalClock.reading(time.milliseconds)
    return "\(clock(reading)):\(two(reading.second))"
  }

  private static func day(_ reading: LocalClock.Reading) -> String {
    "\(reading.day) \(months[reading.month - 1])"
  }

  private static func clock(_ reading: LocalClock.Reading) -> String {
    "\(two(reading.hour)):\(two(reading.minute))"
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
