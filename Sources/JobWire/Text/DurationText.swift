package import JobCore

/// Durations as people type them: `500ms`, `2s`, `3m`, `1h`, `1.5h`, `2d`, sums such as `1h30m`, and `2:30:00`.
package enum DurationText {
  /// - Throws: `usage`, with a sentence about the correct form.
  package static func parse(_ text: String) throws(WireError) -> Interval {
    if let span = clock(text) { return span }
    let bytes = Array(text.utf8)
    var index = 0
    var milliseconds: UInt64 = 0
    var least = UInt64.max
    repeat {
      let part = try part(of: bytes, at: &index, in: text)
      guard part.unit < least else {
        throw refusal(text, "its units must go from large to small, each once, as in 1h30m")
      }
      least = part.unit
      let (sum, carry) = milliseconds.addingReportingOverflow(part.milliseconds)
      guard !carry, sum <= Limits.durationMilliseconds else {
        throw refusal(text, "ten years is the limit")
      }
      milliseconds = sum
    } while index < bytes.count
    return .milliseconds(milliseconds)
  }

  /// `2:30:00`, hours, minutes and seconds; nil for an invalid text.
  private static func clock(_ text: String) -> Interval? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, (1...4).contains(parts[0].count),
      parts.dropFirst().allSatisfy({ $0.count == 2 }),
      parts.allSatisfy({ digits(of: Array($0.utf8)[...]).count == $0.utf8.count })
    else { return nil }
    let numbers = parts.compactMap { UInt64($0) }
    guard numbers.count == 3, numbers[1] < 60, numbers[2] < 60 else { return nil }
    return .seconds(numbers[0] * 3600 + numbers[1] * 60 + numbers[2])
  }

  /// The shortest exact form of `span`: `1h30m`, `500ms`; `0s` for zero.
  package static func format(_ span: Interval) -> String {
    var rest = span.milliseconds
    var text = ""
    for (name, unit) in units.reversed() where rest >= unit {
      text += "\(rest / unit)\(name)"
      rest %= unit
    }
    return text.isEmpty ? "0s" : text
  }

  /// Names and lengths in milliseconds, ascending.
  private static let units: [(name: String, milliseconds: UInt64)] = [
    ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
  ]

  private static func part(
    of bytes: [UInt8], at index: inout Int, in text: String
  ) throws(WireError) -> (milliseconds: UInt64, unit: UInt64) {
    let digits = digits(of: bytes[index...])
    var decimals = bytes[digits.endIndex..<digits.endIndex]
    let hasPoint = bytes[digits.endIndex...].first == UInt8(ascii: ".")
    if hasPoint { decimals = Self.digits(of: bytes[(digits.endIndex + 1)...]) }
    let name = bytes[decimals.endIndex...].prefix { $0 >= UInt8(ascii: "a") }
    index = name.endIndex
    guard !digits.isEmpty, hasPoint == !decimals.isEmpty else {
      throw refusal(text, "write a number and a unit")
    }
    guard !hasPoint || index == bytes.count else {
      throw refusal(text, "only its last number may have a decimal point")
    }
    let unitName = String(decoding: name, as: UTF8.self)
    guard let unit = units.first(where: { $0.name == unitName })?.milliseconds else {
      throw refusal(text, unitName.isEmpty ? "its unit is missing" : "the unit is not known")
    }
    guard let amount = UInt64(String(decoding: digits, as: UTF8.self)),
      amount <= Limits.durationMilliseconds / unit
    else { throw refusal(text, "ten years is the limit") }
    return (amount * unit + share(decimals, of: unit), unit)
  }

  private static func digits(of bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    bytes.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  /// The decimals as milliseconds, rounded up: a value above zero stays so.
  private static func share(_ decimals: ArraySlice<UInt8>, of unit: UInt64) -> UInt64 {
    // More digits than these are finer than a millisecond of any unit.
    let (kept, rest) = (decimals.prefix(9), decimals.dropFirst(9))
    var (count, scale): (UInt64, UInt64) = (0, 1)
    for digit in kept {
      (count, scale) = (count * 10 + UInt64(digit - UInt8(ascii: "0")), scale * 10)
    }
    if rest.contains(where: { $0 > UInt8(ascii: "0") }) { count += 1 }
    return (count * unit + scale - 1) / scale
  }

  private static func refusal(_ text: String, _ reason: String) -> WireError {
    WireError(
      .usage, "\(text.quoted) is not a duration: \(reason) (examples: 500ms, 2s, 3m, 1h, 1h30m, 2d)"
    )
  }
}
