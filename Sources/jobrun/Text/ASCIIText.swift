import JobClient
import JobWire

/// ASCII replacements of this program's drawing characters, for terminals that lack them.
///
/// Texts of people and jobs are unchanged.
enum ASCIIText {
  static func bytes(_ text: String) -> [UInt8] {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return Array(text.utf8) }
    var plain = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { plain.append(sign(scalar)) }
    return Array(String(plain).utf8)
  }

  private static func sign(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar {
    case "━": "#"
    case "╸": "="
    case "─", "·", "–", "—": "-"
    case "…": "~"
    case "✓": "+"
    case "✗": "x"
    case "■": "*"
    case "→", "▸": ">"
    case "▾": "v"
    case "⠋", "⠼", "⠇": "|"
    case "⠙", "⠴", "⠏": "/"
    case "⠹", "⠦": "-"
    case "⠸", "⠧": "\\"
    default: scalar
    }
  }
}

extension Surroundings {
  /// The locale supports only ASCII (locale(7)); without a locale, UTF-8 is assumed.
  var wantsASCII: Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }
      .first { !$0.isEmpty }
    guard let locale else { return false }
    let name = locale.lowercased()
    return !name.holds("utf-8") && !name.holds("utf8")
  }
}
