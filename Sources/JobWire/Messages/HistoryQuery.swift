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
  /// Not the jobs are wanted, but the totals of all that match.
  package var isOfTotals = false

  package init() {}
}

extension HistoryQuery: Coded {
  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.codeAlways(&limit, "limit")
    try coder.codeAlways(&outcome, "outcome")
    try coder.codeAlways(&since, "since")
    try coder.codeAlways(&until, "until")
    try coder.codeAlways(&title, "title")
    try coder.codeAlways(&definition, "definition")
    try coder.code(&group, "group")
    try coder.code(&isOfTotals, "totals", usual: false)
  }

  package func validate() throws(WireError) {
    guard limit < 0 else { return }
    throw WireError(.usage, "\"limit\" must be 0 or more; 0 means all")
  }
}
