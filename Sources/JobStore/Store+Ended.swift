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
    var conditions = ["state = 'ended'"]
    if before != nil { conditions.append("(ended_ms, number) < (?, ?)") }
    if since != nil { conditions.append("ended_ms >= ?") }
    if outcome != nil { conditions.append("outcome = ?") }
    if definition != nil { conditions.append("definition = ?") }
    return try rows(
      "\(Store.selection) WHERE \(conditions.joined(separator: " AND "))"
        + " ORDER BY ended_ms DESC, number DESC LIMIT ?",
      for: "reading the history",
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
}
