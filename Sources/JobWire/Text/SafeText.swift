/// Makes text from outside safe to show: what jobs, people, files and other programs wrote.
///
/// All output passes through here (`PrintRule` of the tidy tests).
package enum SafeText {
  /// Whether a scalar would steer a terminal or turn the direction of what follows it.
  ///
  /// C0 and C1 controls, DEL, line and paragraph separators, and the bidirectional controls of
  /// UAX #9, which can make one text look like another.
  package static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// `text` on one line and without control characters; tabs and line breaks become spaces.
  package static func shown(_ text: String) -> String { shown(text, keepsTabs: false) }

  /// The same, cut to `count` scalars: for text whose length others decide.
  package static func shown(_ text: String, atMost count: Int) -> String {
    shown(String(String.UnicodeScalarView(text.unicodeScalars.prefix(count))))
  }

  /// A line as it is printed: as `shown`, with the tabs that part its columns.
  package static func line(_ text: String) -> String { shown(text, keepsTabs: true) }

  private static func shown(_ text: String, keepsTabs: Bool) -> String {
    // Nearly all are of this kind, and told so in a fraction of the time.
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == "\t", keepsTabs {
        shown.append(scalar)
      } else if scalar == "\n" || scalar == "\t" || scalar == "\r" {
        shown.append(" ")
      } else if !isControl(scalar) {
        shown.append(scalar)
      }
    }
    return String(shown)
  }

  /// Lines of JSON in which every control character is an escape; what is no UTF-8 is replaced.
  ///
  /// Outside of its texts JSON has none of these characters but blanks and line ends.
  package static func json(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(where: { $0 >= 0x7F || ($0 < 0x20 && $0 != 0x0A) }) else { return bytes }
    var safe: [UInt8] = []
    safe.reserveCapacity(bytes.count + 16)
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      if isControl(scalar), scalar != "\n" {
        let digits = String(scalar.value, radix: 16)
        safe += "\\u".utf8
        safe += String(repeating: "0", count: 4 - digits.count).utf8
        safe += digits.utf8
      } else {
        safe += String(scalar).utf8
      }
    }
    return safe
  }
}
