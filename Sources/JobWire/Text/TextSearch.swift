extension String {
  /// Whether `part` stands in it, byte for byte; an empty one always does.
  ///
  /// The standard library's own search comes with its regular expressions, which a release is built
  /// without.
  package func holds(_ part: String) -> Bool {
    let (bytes, wanted) = (Array(utf8), Array(part.utf8))
    guard bytes.count >= wanted.count else { return false }
    return (0...(bytes.count - wanted.count)).contains { bytes[$0...].starts(with: wanted) }
  }
}
