package import JobCore

/// The jobs of a history that ended in one way.
package struct OutcomeTotal: Hashable, Sendable {
  package private(set) var outcome: Outcome
  package private(set) var count = 0
  /// How long they ran altogether, their pauses not counted.
  package private(set) var milliseconds: UInt64 = 0

  package init(_ outcome: Outcome) { self.outcome = outcome }

  /// Adds a job that ran for this long; a sum beyond all numbers stays the largest.
  package mutating func add(_ milliseconds: UInt64) {
    count += 1
    self.milliseconds = self.milliseconds.addedHeld(milliseconds)
  }
}

extension OutcomeTotal: Coded {
  package init() { self.init(.succeeded) }

  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&outcome, "outcome")
    try coder.code(&count, "count")
    try coder.code(&milliseconds, "ranMs")
  }
}
