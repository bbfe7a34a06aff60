extension String {
  /// The text in quotation marks, safe to print on a terminal, at most 60 characters of it.
  package var quoted: String {
    var shown = ""
    for scalar in unicodeScalars.prefix(60) {
      let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
      shown += isControl ? scalar.escaped(asASCII: true) : String(scalar)
    }
    return "\"\(shown)\(unicodeScalars.count > 60 ? "…" : "")\""
  }
}
