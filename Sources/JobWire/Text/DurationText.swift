package import JobCore

/// Durations as people type them: `500ms`, `2s`, `3m`, `1h`, `2d`, and sums such as `1h30m`.
package enum DurationText {
  /// - Throws: `usage`, with a sentence that says what would be right.
  package static func parse(_ text: String) throws(WireError) -> Span {
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
      let (product, overflow) = part.amount.multipliedReportingOverflow(by: part.unit)
      let (sum, carry) = milliseconds.addingReportingOverflow(product)
      guard !overflow, !carry, sum <= Limits.durationMilliseconds else {
        throw refusal(text, "ten years is the limit")
      }
      milliseconds = sum
    } while index < bytes.count
    return .milliseconds(milliseconds)
  }

  /// The shortest exact way to type `span`: `1h30m`, `500ms`; `0s` for nothing.
  package static func format(_ span: Span) -> String {
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
  ) throws(WireError) -> (amount: UInt64, unit: UInt64) {
    let digits = bytes[index...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    let name = bytes[digits.endIndex...].prefix { $0 >= UInt8(ascii: "a") }
    index = name.endIndex
    guard !digits.isEmpty else { throw refusal(text, "write a number and a unit") }
    guard let amount = UInt64(String(decoding: digits, as: UTF8.self)) else {
      throw refusal(text, "ten years is the limit")
    }
    let unitName = String(decoding: name, as: UTF8.self)
    guard let unit = units.first(where: { $0.name == unitName }) else {
      throw refusal(text, unitName.isEmpty ? "its unit is missing" : "the unit is not known")
    }
    return (amount, unit.milliseconds)
  }

  private static func refusal(_ text: String, _ reason: String) -> WireError {
    WireError(
      .usage, "\(text.quoted) is not a duration: \(reason) (examples: 500ms, 2s, 3m, 1h, 1h30m, 2d)"
    )
  }
}
