package import JobCore

/// Which of the ended jobs are asked for; they are answered newest end first.
package struct HistoryQuery: Hashable, Sendable {
  /// Most jobs that are wanted; 0 = all.
  package var limit = Limits.historyUsual
  /// Only those that ended so.
  package var outcome: Outcome?
  /// Only those that ended at this time or later.
  package var since: WallTime?
  /// Only those that ended before this time.
  package var until: WallTime?
  /// Only those with this in their title, whether its letters are large or small (A to Z).
  package var title: String?
  /// Only those of the definition with this short name.
  package var definition: String?
  /// Only those of this group.
  package var group: GroupName?

  package init() {}
}

extension HistoryQuery {
  init(_ fields: JSONFields) throws(WireError) {
    limit = try fields.optionalNumber("limit") ?? limit
    guard limit >= 0 else { throw WireError(.usage, "\"limit\" must be 0 or more; 0 means all") }
    outcome = try fields.optionalChoice("outcome")
    since = try fields.optionalTime("since")
    until = try fields.optionalTime("until")
    title = try fields.optionalString("title")
    definition = try fields.optionalString("definition")
    group = try fields.optionalString("group").map { text throws(WireError) in
      try GroupName(checking: text)
    }
  }
}

extension JSONWriter {
  mutating func fields(_ query: HistoryQuery) {
    field("limit", query.limit)
    field("outcome", query.outcome?.rawValue)
    field("since", query.since)
    field("until", query.until)
    field("title", query.title)
    field("definition", query.definition)
    if let group = query.group { field("group", group.text) }
  }
}
