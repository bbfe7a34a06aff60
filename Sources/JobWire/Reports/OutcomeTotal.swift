package import JobCore

/// The jobs of a history that ended in one way.
package struct OutcomeTotal: Hashable, Sendable {
  package var outcome: Outcome
  package var count: Int
  /// How long they ran altogether, their pauses not counted; in milliseconds.
  package var milliseconds: UInt64

  package init(outcome: Outcome, count: Int, milliseconds: UInt64) {
    self.outcome = outcome
    self.count = count
    self.milliseconds = milliseconds
  }
}

extension OutcomeTotal: Coded {
  package init() { self.init(outcome: .succeeded, count: 0, milliseconds: 0) }

  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&outcome, "outcome")
    try coder.code(&count, "count")
    try coder.code(&milliseconds, "ranMs")
  }
}
