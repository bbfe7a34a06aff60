/// Many submissions in one: what all of them share, and how many there are.
///
/// They are accepted together or not at all, with numbers that follow on each other.
package struct Batch: Hashable, Sendable {
  /// What they share; its key and its identifier are the stems of theirs.
  package var stem: Submission
  package var count: Int
  /// What each is where they differ; empty = all are as the stem.
  package var members: [Member] = []

  /// One of many that differ.
  package struct Member: Hashable, Sendable {
    package var options: Submission.Options
    /// Those of the same submission that have to succeed first, from 0; all come before it.
    package var after: [Int] = []
    /// Those that have to end first.
    package var afterAny: [Int] = []

    package init(_ options: Submission.Options) { self.options = options }
  }

  /// Digits that a member's key has behind the stem: as many members as a queue has room for differ.
  package static let keyDigits = 7

  package init(_ stem: Submission, count: Int) {
    self.stem = stem
    self.count = count
  }

  /// One of them, from 0: `KEY0000000`, `IDENTIFIER.1`.
  ///
  /// `first`: the number that the first of them has, by which others come after it.
  package func submission(at index: Int, first: JobNumber? = nil) -> Submission {
    var submission = stem
    if !members.isEmpty {
      submission.options = members[index].options
      if let first {
        func number(_ place: Int) -> JobNumber { JobNumber(first.value + UInt64(place)) }
        submission.after += Prerequisite.list(
          after: members[index].after.map(number), afterAny: members[index].afterAny.map(number))
      }
    }
    let digits = String(index)
    submission.key += String(repeating: "0", count: max(0, Self.keyDigits - digits.utf8.count))
    submission.key += digits
    submission.identifier = JobIdentifier(trusted: "\(stem.identifier.text).\(index + 1)")
    return submission
  }
}
