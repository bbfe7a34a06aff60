package import JobCore

/// A place in the order of ended jobs.
package struct EndedMark: Hashable, Sendable {
  package var endedMilliseconds: Int64
  package var number: JobNumber

  package init(endedMilliseconds: Int64, number: JobNumber) {
    self.endedMilliseconds = endedMilliseconds
    self.number = number
  }
}

extension Store {
  /// At most `limit` ended jobs behind `before`, the newest end first; nil of anything = no matter.
  ///
  /// `since`: wall time in milliseconds since 1970.
  package func endedJobs(
    outcome: Outcome?, definition: String?, since: Int64?, before: EndedMark?, limit: Int
  ) throws(StoreError) -> [JobRow] {
    let selection = Self.endedSelection(
      outcome: outcome != nil, definition: definition != nil, since: since != nil,
      before: before != nil)
    return try rows(
      selection, for: "reading the history",
      binding: {
        if let before {
          $0.bind(before.endedMilliseconds)
          $0.bind(Int64(bitPattern: before.number.value))
        }
        if let since { $0.bind(since) }
        if let outcome { $0.bind(outcome.rawValue) }
        if let definition { $0.bind(definition) }
        $0.bind(Int64(limit))
      }, reading: Store.row)
  }

  /// What SQLite is asked for ended jobs when these are given.
  ///
  /// Whatever is given, an index leads to the jobs in their order, so that a few of them cost the same
  /// however many have ended: the runner serves nobody else meanwhile.
  package static func endedSelection(
    outcome: Bool, definition: Bool, since: Bool, before: Bool
  ) -> String {
    var conditions = ["state = 'ended'"]
    if before { conditions.append("(ended_ms, number) < (?, ?)") }
    if since { conditions.append("ended_ms >= ?") }
    // With a plus, no index is chosen by it (sqlite.org/optoverview.html): the definition's has the
    // outcome, too, and there are fewer jobs of a definition than of an outcome.
    if outcome { conditions.append(definition ? "+outcome = ?" : "outcome = ?") }
    if definition { conditions.append("definition = ?") }
    return "\(Store.selection) WHERE \(conditions.joined(separator: " AND "))"
      + " ORDER BY ended_ms DESC, number DESC LIMIT ?"
  }
}
