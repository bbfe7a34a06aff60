/// Makes text that a job wrote safe to show.
package enum SafeText {
  /// Whether a scalar would steer a terminal or turn the direction of what follows it.
  ///
  /// C0 and C1 controls, DEL, line and paragraph separators, and the bidirectional controls of
  /// UAX #9, which can make one text look like another.
  package static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// `text` on one line and without control characters; tabs and line breaks become spaces.
  package static func shown(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == "\n" || scalar == "\t" || scalar == "\r" {
        shown.append(" ")
      } else if !isControl(scalar) {
        shown.append(scalar)
      }
    }
    return String(shown)
  }
}
