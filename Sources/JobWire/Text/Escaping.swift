extension String {
  /// With these characters replaced, all in one pass; the standard library's `replacing(_:with:)`
  /// would bring the regular expressions of a megabyte along.
  package func escaping(_ replacements: [Character: String]) -> String {
    reduce(into: "") { text, character in text += replacements[character] ?? String(character) }
  }
}
