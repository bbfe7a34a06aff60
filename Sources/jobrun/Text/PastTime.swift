import JobCore
import JobWire
import LinuxSystem

/// Times in the past as people type them: `yesterday`, `monday 9:00`, `2026-03-01`, `14:30`, `2h`.
///
/// Days and clock times are local.
enum PastTime {
  /// The end of a whole day: `--since` uses its start, `--until` its end.
  enum Edge {
    case start, end
  }

  private static let weekdays = [
    "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
  ]

  /// `flag`: the flag of the value, for error messages.
  ///
  /// - Throws: `usage`, with the correct form.
  static func parse(
    _ text: String, _ edge: Edge, now: WallTime, flag: Flag
  ) throws(WireError) -> WallTime {
    let word = text.lowercased()
    if word == "now" { return now }
    if let time = WallTime(text) ?? TimeText.withOffset(text) ?? TimeText.local(text) {
      return time
    }
    if let (hour, minute) = TimeText.clock(word) { return last(hour, minute, now: now) }
    let parts = word.split(maxSplits: 1, omittingEmptySubsequences: false) {
      $0 == " " || $0 == "t" && word.first?.isNumber == true
    }
    if let first = parts.first, let day = day(String(first), now: now) {
      guard parts.count == 2 else { return edge == .start ? start(of: day) : end(of: day) }
      if let (hour, minute) = TimeText.clock(String(parts[1])) {
        return start(of: day, hour: hour, minute: minute)
      }
    }
    let length = word.hasSuffix(" ago") ? String(word.dropLast(4)) : word
    if let ago = try? DurationText.parse(length) {
      return WallTime(milliseconds: now.milliseconds - Int64(clamping: ago.milliseconds))
    }
    throw WireError(
      .usage,
      "\(flag.spelling) is \(text.quoted), which is not a past day or time;"
        + " write today, yesterday, monday, 2026-03-01, \"monday 9:00\", 14:30 or 2h (ago)")
  }

  /// `tomorrow 8:00`, `monday`, `2027-02-01 08:00`: the next day of a name, a day alone from its start; nil for
  /// other texts.
  static func ahead(_ word: String, now: WallTime) -> WallTime? {
    let parts = word.split(maxSplits: 1, omittingEmptySubsequences: false) {
      $0 == " " || $0 == "t" && word.first?.isNumber == true
    }
    guard let name = parts.first.map(String.init) else { return nil }
    let clock = parts.count == 2 ? TimeText.clock(String(parts[1])) : (hour: 0, minute: 0)
    guard let clock else { return nil }
    let today = LocalClock.reading(now.milliseconds)
    func time(_ days: Int) -> WallTime {
      start(
        of: (today.year, today.month, today.day + days), hour: clock.hour, minute: clock.minute)
    }
    if name == "today" { return time(0) }
    if name == "tomorrow" { return time(1) }
    if name.count >= 3, let index = weekdays.firstIndex(where: { $0.hasPrefix(name) }) {
      let days = (index - today.weekday + 7) % 7
      let next = time(days)
      return next > now ? next : time(days + 7)
    }
    guard name.first?.isNumber == true, let day = day(name, now: now) else { return nil }
    return start(of: day, hour: clock.hour, minute: clock.minute)
  }

  private typealias Day = (year: Int, month: Int, day: Int)

  /// A day by its name, the last one of that name; or as `2026-03-01`.
  private static func day(_ word: String, now: WallTime) -> Day? {
    let today = LocalClock.reading(now.milliseconds)
    func before(_ days: Int) -> Day { (today.year, today.month, today.day - days) }
    if word == "today" { return before(0) }
    if word == "yesterday" { return before(1) }
    if word.count >= 3, let index = weekdays.firstIndex(where: { $0.hasPrefix(word) }) {
      return before((today.weekday - index + 7) % 7)
    }
    let numbers = word.split(separator: "-", omittingEmptySubsequences: false).compactMap {
      Int($0)
    }
    // Dates that the calendar lacks are invalid: the 30th of February.
    guard numbers.count == 3, WallTime(word + "T00:00:00Z") != nil else { return nil }
    return (numbers[0], numbers[1], numbers[2])
  }

  private static func start(of day: Day, hour: Int = 0, minute: Int = 0) -> WallTime {
    WallTime(
      milliseconds: LocalClock.milliseconds(
        year: day.year, month: day.month, day: day.day, hour: hour, minute: minute))
  }

  private static func end(of day: Day) -> WallTime {
    start(of: (day.year, day.month, day.day + 1))
  }

  /// When the clock last showed this.
  private static func last(_ hour: Int, _ minute: Int, now: WallTime) -> WallTime {
    let today = LocalClock.reading(now.milliseconds)
    let time = start(of: (today.year, today.month, today.day), hour: hour, minute: minute)
    guard time > now else { return time }
    return start(of: (today.year, today.month, today.day - 1), hour: hour, minute: minute)
  }
}
