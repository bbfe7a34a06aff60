import JobWire

/// Commands as they could be typed into a shell again.
enum ShellText {
  /// The words separated by blanks, quoted where a shell would split or expand them.
  static func command(_ words: [String]) -> String {
    words.map(word).joined(separator: " ")
  }

  static func word(_ text: String) -> String {
    let shown = SafeText.shown(text)
    guard shown.isEmpty || !shown.unicodeScalars.allSatisfy(isPlain) else { return shown }
    return "'\(shown.escaping(["'": "'\\''"]))'"
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "-", "_", "/", ".", ":", "=", "+", ",", "@", "%", "^":
      true
    default: scalar.value > 0x7F
    }
  }
}
