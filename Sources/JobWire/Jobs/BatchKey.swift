package import JobCore

/// The shared key of a batch's jobs, which are accepted at once, with consecutive numbers and identifiers
/// (`Batch`).
package struct BatchKey: Hashable, Sendable {
  private let stem: String
  /// The number before that of the first job.
  private let before: UInt64
  private let submitted: WallTime

  /// Nil for a job that was submitted alone.
  package init?(_ job: JobStatus) {
    self.init(job.number, job.identifier, submitted: job.submitted)
  }

  package init?(_ number: JobNumber, _ identifier: String, submitted: WallTime) {
    guard let dot = identifier.lastIndex(of: "."),
      let place = UInt64(identifier[identifier.index(after: dot)...]), place > 0,
      place <= number.value
    else { return nil }
    stem = String(identifier[..<dot])
    before = number.value - place
    self.submitted = submitted
  }

  /// A job's position in the batch, from 1.
  package func place(of number: JobNumber) -> Int { Int(clamping: number.value - before) }

  /// The first `count` jobs of the batch.
  package func range(count: Int) -> JobRange {
    JobRange(first: JobNumber(before + 1), count: count)
  }
}

/// In a folded list, the jobs behind a waiting one that are not listed.
///
/// They are of its submission and its group, have the next numbers, and have not begun either. A table has one row for
/// all of them, so a list of a hundred thousand takes as little as one of ten.
package struct FoldedJobs: Hashable, Sendable {
  /// From 1 to `maximum`.
  package var count: Int
  /// The beginning that all their titles share with that of the listed job; nil if all titles are the same.
  package var title: String?

  /// More than can wait.
  private static let maximum = 1 << 32

  package init(count: Int, title: String?) {
    self.count = count
    self.title = title
  }
}

extension FoldedJobs: Coded {
  package init() { self.init(count: 1, title: nil) }

  /// A count that is impossible becomes the nearest that is not: the runner may be another version.
  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&count, "count")
    try coder.code(&title, "title")
    if coder.isReading { count = min(max(1, count), Self.maximum) }
  }
}

extension JobStatus {
  /// How many jobs of a list it stands for, itself included.
  package var listedCount: Int { 1 + (folded?.count ?? 0) }

  /// The number of the last of them.
  package var lastListed: JobNumber {
    let (last, overflow) = number.value.addingReportingOverflow(UInt64(listedCount - 1))
    return JobNumber(overflow ? .max : last)
  }
}
