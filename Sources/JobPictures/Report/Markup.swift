internal import JobWire

/// HTML or SVG as it grows; external text is escaped and never becomes markup.
struct Markup {
  private(set) var text = ""

  /// Markup of ours.
  mutating func add(_ markup: String) { text += markup + "\n" }

  /// Escapes any text for markup, including quoted attributes.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in SafeText.shown(text).unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// A length in a picture, with a tenth at most.
  static func length(_ value: Double) -> String {
    let text = QuantityText.fixed(value, 1)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
