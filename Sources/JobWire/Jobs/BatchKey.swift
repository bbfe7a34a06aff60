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
