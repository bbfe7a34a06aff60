internal import JobWire

/// Words of an app that people see: whatever it says is taken, as on iOS, and made fit to be shown.
enum ShownText {
  /// One line, without characters that control a terminal, and no longer than is shown.
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

  /// A title; `name` where there is nothing to show.
  static func title(_ text: String, else name: String) -> String {
    let title = cleaned(text)
    return title.isEmpty ? cleaned(name) : title
  }
}
