/// The identifiers that a handler is registered for: all under a prefix (`io.example.export.*`), or exactly
/// one.
///
/// Prefixes match whole labels: `io.example.samples.*` takes `io.example.samples.a` and
/// `io.example.samples.a.b`, but neither `io.example.samples` nor `io.example.samplesX.a`.
package struct IdentifierPattern: Hashable, Sendable, CustomStringConvertible {
  /// The pattern as it was written.
  package let text: String
  /// Whether it ends in `.*` and so takes many identifiers.
  package let isWildcard: Bool
  /// The identifier itself, or the labels before `.*`.
  package let prefix: JobIdentifier

  /// Nil when `text` is not a pattern; `IdentifierPattern.problem(in:)` gives the reason.
  package init?(_ text: String) {
    isWildcard = text.hasSuffix(".*")
    guard let prefix = JobIdentifier(isWildcard ? String(text.dropLast(2)) : text) else {
      return nil
    }
    guard text.utf8.count <= JobIdentifier.bytesLimit else { return nil }
    self.text = text
    self.prefix = prefix
  }

  /// One sentence with the error in `text` and the correct form; nil when `text` is valid.
  package static func problem(in text: String) -> String? {
    if IdentifierPattern(text) != nil { return nil }
    if text.contains("*"), !text.hasSuffix(".*") || text.dropLast().contains("*") {
      return "the pattern \(JobIdentifier.quoted(text)) has its * in the wrong place;"
        + " one may stand alone after the last dot, as in io.example.export.*"
    }
    let named = text.hasSuffix(".*") ? String(text.dropLast(2)) : text
    return JobIdentifier.problem(in: named)
      ?? "the pattern \(JobIdentifier.quoted(text)) has \(text.utf8.count) bytes;"
      + " \(JobIdentifier.bytesLimit) is the limit"
  }

  /// Whether this pattern takes `identifier`.
  package func matches(_ identifier: JobIdentifier) -> Bool {
    isWildcard ? identifier.isUnder(prefix) : identifier == prefix
  }

  /// Whether an identifier can match both this pattern and `other`.
  package func overlaps(_ other: IdentifierPattern) -> Bool {
    if !isWildcard { return other.matches(prefix) }
    if !other.isWildcard { return matches(other.prefix) }
    return prefix == other.prefix || prefix.isUnder(other.prefix) || other.prefix.isUnder(prefix)
  }

  /// Whether this pattern wins over `other` for an identifier that both take: one exact identifier
  /// over any prefix, a longer prefix over a shorter one.
  package func isMoreSpecific(than other: IdentifierPattern) -> Bool {
    guard isWildcard == other.isWildcard else { return !isWildcard }
    return prefix.text.utf8.count > other.prefix.text.utf8.count
  }

  /// The most specific of `patterns` that matches `identifier`; nil when none does.
  package static func best(
    for identifier: JobIdentifier, among patterns: [IdentifierPattern]
  ) -> IdentifierPattern? {
    var best: IdentifierPattern?
    for pattern in patterns where pattern.matches(identifier) {
      guard let current = best else {
        best = pattern
        continue
      }
      if pattern.isMoreSpecific(than: current) { best = pattern }
    }
    return best
  }

  package var description: String { text }
}

extension JobIdentifier {
  /// Whether this identifier has `prefix` as its first labels and at least one label more.
  package func isUnder(_ prefix: JobIdentifier) -> Bool {
    let own = text.utf8
    let length = prefix.text.utf8.count
    guard own.count > length + 1, own.starts(with: prefix.text.utf8) else { return false }
    return own.dropFirst(length).first == dot
  }
}
