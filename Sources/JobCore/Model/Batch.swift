/// Many submissions in one: their shared part, and their count.
///
/// They are accepted together or not at all, and get consecutive numbers.
package struct Batch: Hashable, Sendable {
  /// The shared part; its key and identifier are the stems of each job's key and identifier.
  package var stem: Submission
  package var count: Int
  /// The properties in which the jobs differ; empty = all are as the stem.
  package var members: [Member] = []

  /// One of many that differ.
  package struct Member: Hashable, Sendable {
    package var options: Submission.Options
    /// Jobs of the same batch that must succeed first, from 0; all have smaller numbers.
    package var after: [Int] = []
    /// Jobs of the batch that only have to end first.
    package var afterAny: [Int] = []
    /// Jobs of the batch of which one must succeed.
    package var afterOne: [Int] = []

    package init(_ options: Submission.Options) { self.options = options }
  }

  /// Digits that a member's key has behind the stem: as many members as a queue has room for differ.
  package static let keyDigits = 7

  package init(_ stem: Submission, count: Int) {
    self.stem = stem
    self.count = count
  }

  /// One job of the batch, from 0: `KEY0000000`, `IDENTIFIER.1`.
  ///
  /// `first`: the number of its first job, so that others can come after it.
  package func submission(at index: Int, first: JobNumber? = nil) -> Submission {
    var submission = stem
    if !members.isEmpty {
      submission.options = members[index].options
      if let first {
        func number(_ place: Int) -> JobNumber { JobNumber(first.value + UInt64(place)) }
        submission.after += Prerequisite.list(
          after: members[index].after.map(number), afterAny: members[index].afterAny.map(number),
          afterOne: members[index].afterOne.map(number))
      }
    }
    let digits = String(index)
    submission.key += String(repeating: "0", count: max(0, Self.keyDigits - digits.utf8.count))
    submission.key += digits
    submission.batchSize = Int32(clamping: count)
    submission.identifier = JobIdentifier(trusted: "\(stem.identifier.text).\(index + 1)")
    return submission
  }
}
