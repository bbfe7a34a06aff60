import JobCore
import JobWire
import LinuxSystem

/// Times ahead as people type them: `22:30`, `+2h`, `tomorrow 8:00`, `monday 9:00`, `2027-02-01 08:00`,
/// `2026-03-01T03:00:00Z`.
enum TimeText {
  /// `flag`: the flag of the value, for error messages.
  ///
  /// - Throws: `usage`. A time in the past is valid: it has come.
  static func parse(_ text: String, now: WallTime, flag: Flag) throws(WireError) -> WallTime {
    if text.hasPrefix("+") { return try later(String(text.dropFirst()), now: now, flag: flag) }
    if let time = WallTime(text) ?? withOffset(text) { return time }
    if let (hour, minute) = clock(text) {
      let next = LocalClock.next(hour: hour, minute: minute, after: now.milliseconds)
      return WallTime(milliseconds: next)
    }
    if let time = local(text) ?? PastTime.ahead(text.lowercased(), now: now) { return time }
    throw WireError(
      .usage,
      "\(flag.spelling) is \(text.quoted), which is not a time; write 22:30 (the next"
        + " time the clock shows that here), +2h, \"tomorrow 8:00\", \"monday 9:00\","
        + " \"2027-02-01 08:00\" or 2026-03-01T03:00:00Z")
  }

  /// `2027-02-01T08:00:00` and `2027-02-01 08:00:00`, which are local times, and `2027-02-01T08:00` with a zone.
  static func local(_ text: String) -> WallTime? {
    let parts = text.split(omittingEmptySubsequences: false) { $0 == "T" || $0 == " " }
    guard parts.count == 2 else { return nil }
    let time = parts[1].prefix { $0 == ":" || $0.isASCII && $0.isNumber }
    let zone = parts[1][time.endIndex...]
    if time.utf8.count == 5, !zone.isEmpty {
      let whole = "\(parts[0])T\(time):00\(zone)"
      return WallTime(whole) ?? withOffset(whole)
    }
    guard zone.isEmpty, time.utf8.count == 8, let exact = WallTime("\(parts[0])T\(time)Z"),
      let minute = PastTime.ahead("\(parts[0]) \(time.prefix(5))", now: exact)
    else { return nil }
    let seconds = (exact.milliseconds / 1_000) % 60
    return WallTime(milliseconds: minute.milliseconds + seconds * 1_000)
  }

  private static func later(
    _ text: String, now: WallTime, flag: Flag
  ) throws(WireError) -> WallTime {
    do throws(WireError) {
      let span = try DurationText.parse(text)
      return WallTime(milliseconds: now.milliseconds + Int64(clamping: span.milliseconds))
    } catch {
      throw WireError(error.code, "\(flag.spelling): \(error.message)")
    }
  }

  /// RFC 3339 with an offset in place of the `Z`: `2026-03-01T03:00:00+01:00`.
  static func withOffset(_ text: String) -> WallTime? {
    let offset = text.suffix(6)
    guard let sign = offset.first, sign == "+" || sign == "-",
      let (hours, minutes) = clock(String(offset.dropFirst())),
      let time = WallTime(text.dropLast(6) + "Z")
    else { return nil }
    let shift = Int64(hours * 60 + minutes) * 60_000
    return WallTime(milliseconds: time.milliseconds + (sign == "+" ? -shift : shift))
  }

  /// `7:05` and `22:30`; nil for other texts.
  static func clock(_ text: String) -> (hour: Int, minute: Int)? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2,
      parts.allSatisfy({
        $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      }),
      let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
    else { return nil }
    return (hour, minute)
  }
}
