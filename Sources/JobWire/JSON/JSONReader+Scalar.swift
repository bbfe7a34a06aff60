extension JSONReader {
  /// A string; the next byte is its opening quotation mark.
  mutating func string() throws(JSONSyntaxError) -> String {
    index += 1
    let start = index
    index =
      bytes[start...].firstIndex {
        $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") || $0 < 0x20
      } ?? bytes.endIndex
    guard byte == UInt8(ascii: "\"") else {
      return try escapedString(beginning: Array(bytes[start..<index]))
    }
    let text = try validated(bytes[start..<index])
    index += 1
    return text
  }

  private mutating func escapedString(beginning: [UInt8]) throws(JSONSyntaxError) -> String {
    var text = beginning
    while let byte {
      index += 1
      switch byte {
      case UInt8(ascii: "\""):
        return try validated(text[...])
      case UInt8(ascii: "\\"):
        try appendEscape(to: &text)
      case 0..<0x20:
        throw JSONSyntaxError(
          line: line, message: "has a string with an unescaped control character (byte \(byte))")
      default:
        text.append(byte)
      }
    }
    throw JSONSyntaxError(line: line, message: "has a string that is never closed with '\"'")
  }

  private func validated(_ text: ArraySlice<UInt8>) throws(JSONSyntaxError) -> String {
    // Nearly all texts are ASCII, and the general way takes three times as long.
    if text.allSatisfy({ $0 < 0x80 }) { return String(decoding: text, as: UTF8.self) }
    guard let text = String(validating: text, as: UTF8.self) else {
      throw JSONSyntaxError(line: line, message: "has a string that is not valid UTF-8")
    }
    return text
  }

  /// Reads the rest of an escape after its backslash.
  private mutating func appendEscape(to text: inout [UInt8]) throws(JSONSyntaxError) {
    guard let escape = byte else { throw unexpected("an escape") }
    switch escape {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(escape)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"):
      index += 1
      text.append(contentsOf: String(try unicodeEscape()).utf8)
      return
    default: throw unexpected("an escape")
    }
    index += 1
  }

  /// The scalar of `\uXXXX`, of a surrogate pair, or U+FFFD for half a pair.
  private mutating func unicodeEscape() throws(JSONSyntaxError) -> Unicode.Scalar {
    let first = try hexadecimalQuad()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, bytes[index...].starts(with: "\\u".utf8) else { return "\u{FFFD}" }
    let afterFirst = index
    index += 2
    let second = try hexadecimalQuad()
    guard (0xDC00..<0xE000).contains(second) else {
      index = afterFirst
      return "\u{FFFD}"
    }
    return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) ?? "\u{FFFD}"
  }

  private mutating func hexadecimalQuad() throws(JSONSyntaxError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw unexpected("four hexadecimal digits after \\u")
      }
      value = value << 4 | UInt32(digit)
      index += 1
    }
    return value
  }

  /// A number; the next byte is its sign or first digit.
  mutating func number() throws(JSONSyntaxError) -> JSONValue {
    let start = index
    if byte == UInt8(ascii: "-") { index += 1 }
    let firstDigit = index
    try digits()
    guard index == firstDigit + 1 || bytes[firstDigit] != UInt8(ascii: "0") else {
      throw JSONSyntaxError(line: line, message: "has a number with a leading zero")
    }
    let isWhole = try !fractionAndExponent()
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    if isWhole, let natural = UInt64(text) { return .natural(natural) }
    if isWhole, let negative = Int64(text) {
      return negative == 0 ? .natural(0) : .negative(negative)
    }
    guard let number = Double(text), number.isFinite else {
      throw JSONSyntaxError(line: line, message: "has the number \(text), which is too large")
    }
    return .number(number)
  }

  /// True if there was a fraction or an exponent.
  private mutating func fractionAndExponent() throws(JSONSyntaxError) -> Bool {
    let start = index
    if byte == UInt8(ascii: ".") {
      index += 1
      try digits()
    }
    if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
      index += 1
      if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { index += 1 }
      try digits()
    }
    return index > start
  }

  private mutating func digits() throws(JSONSyntaxError) {
    guard let first = byte, isDigit(first) else { throw unexpected("a digit") }
    while let byte, isDigit(byte) { index += 1 }
  }

  private func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
