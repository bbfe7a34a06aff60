/// A job that another one comes after: the other may start only once this one has succeeded, or has
/// ended in any way where that is enough.
package struct Prerequisite: Hashable, Sendable {
  package var number: JobNumber
  /// Any end will do, not only success.
  package var anyEnd: Bool
  /// How it had ended when it was named; nil if it had not ended, or that is unknown.
  package var outcome: Outcome?

  package init(_ number: JobNumber, anyEnd: Bool = false, outcome: Outcome? = nil) {
    self.number = number
    self.anyEnd = anyEnd
    self.outcome = outcome
  }

  /// Whether the other job may go on after this end.
  package func isMet(by outcome: Outcome?) -> Bool { anyEnd || outcome == .succeeded }

  /// Both lists as one, ascending; who needs success and any end of the same job needs success.
  package static func list(after: [JobNumber], afterAny: [JobNumber]) -> [Prerequisite] {
    let strict = Set(after)
    let others = Set(afterAny).subtracting(strict)
    let all = strict.map { Prerequisite($0) } + others.map { Prerequisite($0, anyEnd: true) }
    return all.sorted { $0.number < $1.number }
  }
}

extension [Prerequisite] {
  /// Those that have to succeed, ascending.
  package var needingSuccess: [JobNumber] { filter { !$0.anyEnd }.map { $0.number } }

  /// Those that only have to end, ascending.
  package var needingAnyEnd: [JobNumber] { filter { $0.anyEnd }.map { $0.number } }
}
