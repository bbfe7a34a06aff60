/// Many submissions in one: what all of them share, and how many there are.
///
/// They are accepted together or not at all, with numbers that follow on each other.
package struct Batch: Hashable, Sendable {
  /// What they share; its key and its identifier are the stems of theirs.
  package var stem: Submission
  package var count: Int

  /// Digits that a member's key has behind the stem: as many members as a queue has room for differ.
  package static let keyDigits = 7

  package init(_ stem: Submission, count: Int) {
    self.stem = stem
    self.count = count
  }

  /// One of them, from 0: `KEY0000000`, `IDENTIFIER.1`.
  package func submission(at index: Int) -> Submission {
    var submission = stem
    let digits = String(index)
    submission.key += String(repeating: "0", count: max(0, Self.keyDigits - digits.utf8.count))
    submission.key += digits
    submission.identifier = JobIdentifier(trusted: "\(stem.identifier.text).\(index + 1)")
    return submission
  }
}
