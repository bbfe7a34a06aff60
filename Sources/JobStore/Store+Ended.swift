package import JobCore
package import JobWire

/// A position in the order of ended jobs.
package struct EndedMark: Hashable, Sendable {
  package var endedMilliseconds: Int64
  package var number: JobNumber

  package init(endedMilliseconds: Int64, number: JobNumber) {
    self.endedMilliseconds = endedMilliseconds
    self.number = number
  }
}

/// How a job ended, and after which time.
package struct EndedRun: Hashable, Sendable {
  package var outcome: Outcome
  /// From its first start, its pauses not counted.
  package var milliseconds: UInt64
  package var mark: EndedMark
}

/// The number of ended jobs of one outcome.
package struct OutcomeCount: Hashable, Sendable {
  package var outcome: Outcome
  package var count: Int
  /// The lowest number among them.
  package var first: JobNumber
  /// The exit code of that job.
  package var exitCode: Int32?
}

/// Which ended jobs are selected; nil = any.
package struct EndedFilter: Hashable, Sendable {
  package var outcome: Outcome?
  package var definition: String?
  /// Ended at or after this time: wall time in milliseconds since 1970.
  package var since: Int64?
  /// Ended before this time.
  package var until: Int64?
  /// A part of the title; A to Z in either case.
  package var title: String?
  package var group: GroupName?

  package init(outcome: Outcome? = nil, definition: String? = nil, since: Int64? = nil) {
    self.outcome = outcome
    self.definition = definition
    self.since = since
  }
}

extension Store {
  /// At most `limit` ended jobs after `before`, the newest end first.
  package func endedJobs(
    _ filter: EndedFilter, before: EndedMark?, limit: Int
  ) throws(StoreError) -> [JobRecord] {
    try ended(Store.selection, filter, before, limit, reading: Store.row)
  }

  /// The same jobs, of which only the outcome and the length are read.
  ///
  /// SQLite takes the length out of their records: to decode all of each takes ten times as long.
  package func endedRuns(
    _ filter: EndedFilter, before: EndedMark?, limit: Int
  ) throws(StoreError) -> [EndedRun] {
    try ended(Store.runSelection, filter, before, limit) { statement throws(StoreError) in
      let outcome = try Self.outcome(statement.text(), "adding up the history")
      let milliseconds: UInt64 = statement.number(in: 0 ... .max)
      let ended = statement.number()
      return EndedRun(
        outcome: outcome, milliseconds: milliseconds,
        mark: EndedMark(endedMilliseconds: ended, number: statement.jobNumber()))
    }
  }

  private func ended<Row>(
    _ selection: String, _ filter: EndedFilter, _ before: EndedMark?, _ limit: Int,
    reading: (Statement) throws(StoreError) -> Row
  ) throws(StoreError) -> [Row] {
    try rows(
      Self.endedSelection(filter, before: before != nil, selection), for: "reading the history",
      binding: {
        if let before {
          $0.bind(before.endedMilliseconds)
          $0.bind(Int64(bitPattern: before.number.value))
        }
        if let since = filter.since { $0.bind(since) }
        if let until = filter.until { $0.bind(until) }
        if let outcome = filter.outcome { $0.bind(outcome.rawValue) }
        if let definition = filter.definition { $0.bind(definition) }
        if let title = filter.title { $0.bind(Self.pattern(containing: title)) }
        if let group = filter.group { $0.bind(group.text) }
        $0.bind(Int64(limit))
      }, reading: reading)
  }

  /// The length is `JobStatus.ran`, in whole milliseconds; 0 for a job that never began, and for a damaged record.
  ///
  /// Times that no clock shows make it a real number, which is cut.
  private static let runSelection = """
    SELECT outcome, CASE WHEN json_valid(record) THEN
      CAST(min(9e15, max(0, coalesce(ended_ms - json_extract(record, '$.startedMs')
        - coalesce(json_extract(record, '$.pausedForNs'), 0) / 1000000, 0))) AS INTEGER)
      ELSE 0 END, ended_ms, number FROM jobs
    """

  /// The ended jobs in a range by outcome: the kept ones, then the removed ones of submissions of many jobs
  /// that lie wholly in the range.
  package func outcomes(in range: JobRange) throws(StoreError) -> [OutcomeCount] {
    try outcomes(
      "number BETWEEN ?1 AND ?2",
      andThen: "SELECT forgotten.first, forgotten.count, outcome, exit_code"
        + " FROM forgotten JOIN batches ON batches.first = batch"
        + " WHERE batches.first >= ?1 AND batches.first + batches.count - 1 <= ?2"
    ) {
      $0.bind(unsigned: range.first.value)
      $0.bind(unsigned: range.last.value)
    }
  }

  /// The kept jobs of a group that ended at or after a time: wall time in milliseconds since 1970, nil =
  /// when the last of them to end was submitted.
  package func outcomes(
    of group: GroupName, since: Int64?
  ) throws(StoreError) -> [OutcomeCount] {
    var since = since
    if since == nil { since = try lastEnded(of: group)?.submittedMilliseconds }
    guard let since else { return [] }
    return try outcomes("job_group = ?1 AND ended_ms >= ?2") {
      $0.bind(group.text)
      $0.bind(since)
    }
  }

  private func lastEnded(of group: GroupName) throws(StoreError) -> JobRecord? {
    try rows(
      "\(Store.selection) WHERE job_group = ? AND state = 'ended' ORDER BY ended_ms DESC LIMIT 1",
      for: "looking for the last job of a group", binding: { $0.bind(group.text) },
      reading: Store.row
    ).first
  }

  /// How many jobs have ended so whose keys begin with `stem`, as those of one submission do.
  package func countEnded(
    _ outcomes: [Outcome], ofSubmission stem: String
  ) throws(StoreError) -> Int {
    let words = outcomes.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    // Digits follow the stem, and the colon follows on them.
    return try rows(
      "SELECT count(*) FROM jobs WHERE key >= ?1 || '0' AND key < ?1 || ':'"
        + " AND state = 'ended' AND outcome IN (\(words))",
      for: "counting ended jobs of a submission", binding: { $0.bind(stem) },
      reading: { $0.number(in: 0 ... .max) as Int }
    ).first ?? 0
  }

  /// SQLite takes a column beside `min` from the row that has the minimum (sqlite.org/lang_select.html).
  private func outcomes(
    _ condition: String, andThen others: String? = nil, binding: (Statement) -> Void
  ) throws(StoreError) -> [OutcomeCount] {
    try rows(
      "SELECT min(number), count(*), outcome, exit_code FROM jobs WHERE \(condition)"
        + " AND state = 'ended' GROUP BY outcome" + (others.map { " UNION ALL \($0)" } ?? ""),
      for: "counting ended jobs", binding: binding,
      reading: { statement throws(StoreError) in
        let first = statement.jobNumber()
        let count: Int = statement.number(in: 1 ... .max)
        let outcome = try Self.outcome(statement.text(), "counting ended jobs")
        return OutcomeCount(
          outcome: outcome, count: count, first: first,
          exitCode: statement.optionalNumber(in: .min ... .max))
      })
  }

  private static func outcome(
    _ text: String, _ operation: String
  ) throws(StoreError) -> Outcome {
    if let outcome = Outcome(rawValue: text) { return outcome }
    throw .corrupt(
      StoreError.Failure(operation: operation, code: 0, message: "\(text) is not an outcome"))
  }

  /// The runs that the runner has started for bundles at times of its own choice and that have ended since,
  /// in the order of the ends.
  package func uses(since: WallTime) throws(StoreError) -> [UsageRecord] {
    try rows(
      Self.useSelection, for: "reading what bundles have used",
      binding: { $0.bind(since.milliseconds) }, reading: Store.row
    ).compactMap { $0.pastUse }
  }

  package static var useSelection: String {
    "\(selection) WHERE state = 'ended' AND ended_ms >= ? AND bundle IS NOT NULL"
      + " ORDER BY ended_ms, number"
  }

  /// The SQL query for ended jobs.
  ///
  /// Every filter uses an index that yields the jobs in their order, so that a few of them cost the same
  /// however many have ended: the runner serves no other request meanwhile. Only a title is compared one by
  /// one, which SQLite does to 10,000 of them in a few milliseconds.
  package static func endedSelection(
    _ filter: EndedFilter, before: Bool, _ selection: String = Store.selection
  ) -> String {
    var conditions = ["state = 'ended'"]
    if before { conditions.append("(ended_ms, number) < (?, ?)") }
    if filter.since != nil { conditions.append("ended_ms >= ?") }
    if filter.until != nil { conditions.append("ended_ms < ?") }
    // A plus excludes a column from the choice of the index (sqlite.org/optoverview.html): the definition's
    // index has the outcome, too, and a definition has fewer jobs than an outcome.
    if filter.outcome != nil {
      conditions.append(filter.definition == nil ? "outcome = ?" : "+outcome = ?")
    }
    if filter.definition != nil { conditions.append("definition = ?") }
    if filter.title != nil { conditions.append("title LIKE ? ESCAPE '!'") }
    if filter.group != nil { conditions.append("+job_group = ?") }
    return "\(selection) WHERE \(conditions.joined(separator: " AND "))"
      + " ORDER BY ended_ms DESC, number DESC LIMIT ?"
  }

  /// A LIKE pattern for texts that contain this one.
  private static func pattern(containing text: String) -> String {
    var pattern = "%"
    for character in text {
      if character == "%" || character == "_" || character == "!" { pattern.append("!") }
      pattern.append(character)
    }
    return pattern + "%"
  }
}

extension JobRecord {
  /// SIGKILL.
  private static let killSignal: Int32 = 9

  /// The use of its bundle's budget; nil when a person asked for the run at that time, or ended it before
  /// it started.
  fileprivate var pastUse: UsageRecord? {
    guard submission.options.kind != .continued, let bundle = submission.bundle, !isSimulated,
      let endedMilliseconds, let outcome = state.outcome,
      startedMilliseconds != nil || outcome == .failed
    else { return nil }
    return UsageRecord(
      submission, of: bundle,
      from: WallTime(milliseconds: startedMilliseconds ?? endedMilliseconds),
      to: WallTime(milliseconds: endedMilliseconds),
      processorTime: .microseconds(use.cpuMicroseconds ?? 0), outcome, state.stopReason?.code,
      wasKilled: signal == Self.killSignal)
  }
}
