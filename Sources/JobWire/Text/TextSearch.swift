extension String {
  /// Whether it contains `part`, byte for byte; true for an empty one.
  ///
  /// The standard library's own search depends on its regular expressions, which release builds leave out.
  package func holds(_ part: String) -> Bool { after(part) != nil }

  /// The text after the first occurrence of `part`; nil without one.
  package func after(_ part: String) -> String? {
    let (bytes, wanted) = (Array(utf8), Array(part.utf8))
    guard bytes.count >= wanted.count else { return nil }
    let start = (0...(bytes.count - wanted.count)).first { bytes[$0...].starts(with: wanted) }
    return start.map { String(decoding: bytes[($0 + wanted.count)...], as: UTF8.self) }
  }
}
