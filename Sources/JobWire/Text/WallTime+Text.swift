package import JobCore

extension WallTime {
  /// RFC 3339 in UTC with milliseconds: `2026-03-01T12:34:56.789Z`.
  ///
  /// Clamped to the years 0 to 9999, the range of the format.
  package var text: String {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends `text` without making a string.
  package func append(to bytes: inout [UInt8]) {
    let held = min(max(milliseconds, WallTime.first), WallTime.latest.milliseconds)
    let day = held.flooredDivision(by: WallTime.millisecondsPerDay)
    let inDay = UInt64(held - day * WallTime.millisecondsPerDay)
    let date = CivilDate(daysSinceEpoch: day)
    bytes.appendDecimal(UInt64(date.year), width: 4)
    bytes.append(UInt8(ascii: "-"))
    bytes.appendDecimal(UInt64(date.month), width: 2)
    bytes.append(UInt8(ascii: "-"))
    bytes.appendDecimal(UInt64(date.day), width: 2)
    bytes.append(UInt8(ascii: "T"))
    bytes.appendDecimal(inDay / 3_600_000, width: 2)
    bytes.append(UInt8(ascii: ":"))
    bytes.appendDecimal(inDay / 60_000 % 60, width: 2)
    bytes.append(UInt8(ascii: ":"))
    bytes.appendDecimal(inDay / 1000 % 60, width: 2)
    bytes.append(UInt8(ascii: "."))
    bytes.appendDecimal(inDay % 1000, width: 3)
    bytes.append(UInt8(ascii: "Z"))
  }

  /// Parses `2026-03-01T12:34:56Z`, with up to nine decimals of the second; nil for an invalid text.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z"),
      WallTime.separators.allSatisfy({ bytes[$0.at] == $0.byte }),
      let year = bytes.decimal(0..<4), let month = bytes.decimal(5..<7),
      let day = bytes.decimal(8..<10), let hour = bytes.decimal(11..<13), hour < 24,
      let minute = bytes.decimal(14..<16), minute < 60,
      let second = bytes.decimal(17..<19), second < 60,
      let date = CivilDate(year: year, month: month, day: day),
      let thousandths = WallTime.thousandths(bytes[19..<(bytes.count - 1)])
    else { return nil }
    let seconds = (Int64(hour) * 60 + Int64(minute)) * 60 + Int64(second)
    self.init(
      milliseconds: date.daysSinceEpoch * WallTime.millisecondsPerDay + seconds * 1000
        + Int64(thousandths))
  }

  private static let millisecondsPerDay: Int64 = 86_400_000
  /// The time 0000-01-01T00:00:00.000Z.
  private static let first: Int64 = -62_167_219_200_000

  private static let separators: [(at: Int, byte: UInt8)] = [
    (4, UInt8(ascii: "-")), (7, UInt8(ascii: "-")), (10, UInt8(ascii: "T")),
    (13, UInt8(ascii: ":")), (16, UInt8(ascii: ":")),
  ]

  /// Milliseconds of `.7`, `.789` or `.789123456`; 0 without digits.
  private static func thousandths(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard let point = bytes.first else { return 0 }
    let decimals = Array(bytes.dropFirst())
    guard point == UInt8(ascii: "."), (1...9).contains(decimals.count),
      decimals.decimal(decimals.indices) != nil
    else { return nil }
    let three = Array((decimals + [UInt8](repeating: UInt8(ascii: "0"), count: 2)).prefix(3))
    return three.decimal(three.indices)
  }
}

extension [UInt8] {
  /// The number in these digits; nil if one is not a digit.
  fileprivate func decimal(_ range: Range<Int>) -> Int? {
    var value = 0
    for byte in self[range] {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return value
  }
}
