/// A job that another one comes after: the other may start only once this one has succeeded, or has
/// ended in any way where that is enough.
package struct Prerequisite: Hashable, Sendable {
  package var number: JobNumber
  /// Any end will do, not only success.
  package var anyEnd: Bool
  /// Whether it is one of several alternatives.
  package var isOne: Bool
  /// How it had ended when it was named; nil if it had not ended, or that is unknown.
  package var outcome: Outcome?

  package init(
    _ number: JobNumber, anyEnd: Bool = false, isOne: Bool = false, outcome: Outcome? = nil
  ) {
    self.number = number
    self.anyEnd = anyEnd
    self.isOne = isOne
    self.outcome = outcome
  }

  /// Whether the dependent job may start after this end.
  package func isMet(by outcome: Outcome?) -> Bool { anyEnd || outcome == .succeeded }

  /// All lists merged, ascending; if a job is in several lists, the one that needs success wins.
  package static func list(
    after: [JobNumber], afterAny: [JobNumber], afterOne: [JobNumber] = []
  ) -> [Prerequisite] {
    let strict = Set(after)
    let ones = Set(afterOne).subtracting(strict)
    let others = Set(afterAny).subtracting(strict).subtracting(ones)
    let all =
      strict.map { Prerequisite($0) } + others.map { Prerequisite($0, anyEnd: true) }
      + ones.map { Prerequisite($0, isOne: true) }
    return all.sorted { $0.number < $1.number }
  }
}

extension [Prerequisite] {
  /// The jobs that must succeed, ascending.
  package var needingSuccess: [JobNumber] { filter { !$0.anyEnd && !$0.isOne }.map { $0.number } }

  /// The alternatives, ascending.
  package var needingOneSuccess: [JobNumber] { filter { $0.isOne }.map { $0.number } }

  /// Whether one of the alternatives is known to have succeeded.
  var hasOneSuccess: Bool { contains { $0.isOne && $0.outcome == .succeeded } }

  /// The jobs that only have to end, ascending.
  package var needingAnyEnd: [JobNumber] { filter { $0.anyEnd }.map { $0.number } }
}
