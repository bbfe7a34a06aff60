internal import JobWire

/// Displayed texts of an app: all are accepted, as on iOS, and made safe to show.
enum ShownText {
  /// One line, without characters that control a terminal, cut to the maximum length.
  static func cleaned(_ text: String) -> String {
    var words = ""
    var gap = false
    for scalar in text.unicodeScalars {
      guard scalar.properties.generalCategory != .control,
        !scalar.properties.isWhitespace, !scalar.properties.isBidiControl
      else {
        gap = true
        continue
      }
      if gap, !words.isEmpty { words.append(" ") }
      gap = false
      words.unicodeScalars.append(scalar)
    }
    return words.start(bytes: Limits.titleBytes)
  }

  /// A title; `name` if it would be empty.
  static func title(_ text: String, else name: String) -> String {
    let title = cleaned(text)
    return title.isEmpty ? cleaned(name) : title
  }
}
