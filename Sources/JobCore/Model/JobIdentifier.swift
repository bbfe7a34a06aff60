/// A reverse-DNS job identifier: 1…255 bytes of `[A-Za-z0-9._-]` in labels separated by single dots.
///
/// The underscore is no part of bundle identifiers, but of the task identifiers in Apple's samples
/// (`….ColorFeed.db_cleaning`).
/// Two identifiers are the same only byte for byte; case matters, as in Apple's bundle identifiers.
package struct JobIdentifier: Hashable, Sendable, CustomStringConvertible {
  /// Longest identifier in bytes, so that one always fits a file name.
  package static let bytesLimit = 255

  package let text: String

  /// Nil when `text` is malformed or a pattern; `JobIdentifier.problem(in:)` says why.
  package init?(_ text: String) {
    guard JobIdentifier.isWellFormed(text) else { return nil }
    self.text = text
  }

  /// In a value whose fields have not been read yet.
  package static let blank = JobIdentifier(trusted: "")

  /// For text that is known to be right.
  init(trusted text: String) {
    self.text = text
  }

  /// One sentence saying what is wrong with `text` and what would be right; nil when nothing is.
  ///
  /// The text may come from a terminal or a socket: what is quoted of it is escaped and shortened.
  package static func problem(in text: String) -> String? {
    if isWellFormed(text) { return nil }
    if text.isEmpty {
      return "the identifier is empty; write one like io.example.export.trip"
    }
    let shown = quoted(text)
    if text.utf8.count > bytesLimit {
      return "the identifier \(shown) has \(text.utf8.count) bytes; \(bytesLimit) is the limit"
    }
    if text == "*" || text.hasSuffix(".*") {
      return "\(shown) is a pattern, and one identifier is needed here;"
        + " put a name in place of the *, as in \(named(text))"
    }
    if let stranger = text.unicodeScalars.first(where: { !isAllowed($0) }) {
      return "the identifier \(shown) contains \(quoted(String(stranger)));"
        + " only letters, digits, '-', '_' and '.' are allowed"
    }
    return labelProblem(in: text, shown: shown)
  }

  package var description: String { text }

  /// The sentence about empty labels; nil when each label has at least one letter.
  private static func labelProblem(in text: String, shown: String) -> String? {
    if text.utf8.first == dot {
      return "the identifier \(shown) starts with a dot; begin with a name"
    }
    if text.utf8.last == dot {
      return "the identifier \(shown) ends with a dot; put a name after it or leave it out"
    }
    if zip(text.utf8, text.utf8.dropFirst()).contains(where: { $0 == dot && $1 == dot }) {
      return
        "the identifier \(shown) has two dots in a row; put a name between them or leave one out"
    }
    return nil
  }

  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    guard let byte = UInt8(exactly: scalar.value) else { return false }
    return byte == dot || isAllowedInLabel(byte)
  }

  private static func isAllowedInLabel(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
      UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// One pass over the bytes; the sentences are only made for what fails here.
  static func isWellFormed(_ text: String) -> Bool {
    guard text.utf8.count <= bytesLimit else { return false }
    var previous = dot
    for byte in text.utf8 {
      guard byte == dot ? previous != dot : isAllowedInLabel(byte) else { return false }
      previous = byte
    }
    return previous != dot
  }

  /// The pattern with a name where its asterisk is.
  private static func named(_ pattern: String) -> String {
    pattern.utf8.count > 60 ? "….name" : pattern.dropLast() + "name"
  }

  /// `text` in quotation marks, safe to print, at most 60 characters of it.
  static func quoted(_ text: String) -> String {
    var shown = ""
    for scalar in text.unicodeScalars.prefix(60) {
      // A control character of whatever kind is no letter.
      let isPlain = (0x20..<0x7F).contains(scalar.value) || scalar.properties.isAlphabetic
      shown += isPlain ? "\(scalar)" : scalar.escaped(asASCII: true)
    }
    return "\"\(shown)\(text.unicodeScalars.count > 60 ? "…" : "")\""
  }
}

/// The byte that separates labels.
let dot = UInt8(ascii: ".")
