/// A job that another one comes after: only once this one has succeeded may the other start.
package struct Prerequisite: Hashable, Sendable {
  package var number: JobNumber
  /// How it had ended when it was named; nil = it had not, or nobody knows.
  package var outcome: Outcome?

  package init(_ number: JobNumber, outcome: Outcome? = nil) {
    self.number = number
    self.outcome = outcome
  }
}
