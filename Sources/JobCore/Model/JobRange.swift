/// Jobs with consecutive numbers, such as those of one submission.
package struct JobRange: Hashable, Sendable, CustomStringConvertible {
  package var first: JobNumber
  /// At least 1.
  package var count: Int

  package init(first: JobNumber, count: Int) {
    self.first = first
    self.count = count
  }

  package var last: JobNumber { JobNumber(first.value + UInt64(count) - 1) }

  package func contains(_ number: JobNumber) -> Bool { first <= number && number <= last }

  package var description: String { count == 1 ? "\(first)" : "\(first) to \(last)" }
}
