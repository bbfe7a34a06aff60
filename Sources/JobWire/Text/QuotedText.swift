extension String {
  /// The text in quotation marks, safe to print on a terminal, at most 60 characters of it.
  package var quoted: String { "\"\(escaped)\"" }

  /// The text with visible control characters, at most 60 characters of it.
  package var escaped: String {
    var shown = ""
    for scalar in unicodeScalars.prefix(60) {
      shown += SafeText.isControl(scalar) ? scalar.escaped(asASCII: true) : String(scalar)
    }
    return unicodeScalars.count > 60 ? shown + "…" : shown
  }
}
