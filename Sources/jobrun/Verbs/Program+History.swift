import JobClient
import JobCore
import JobWire

extension Program {
  /// Carries out `jobrun history [--limit N] [--since WHEN] [--until WHEN] [--title TEXT]
  /// [--outcome O] [--definition NAME] [--json]`.
  func history(_ invocation: Invocation) throws(WireError) -> Int32 {
    let query = try query(invocation)
    try checkForm(invocation)
    let link = try link()
    if invocation.isSet(.json) {
      try link.history(query) { writeJSON($0) }
      data.flush()
      return ExitCode.success
    }
    if invocation.isSet(.csv) {
      let columns = try invocation.text(.format).map(JobColumn.list) ?? JobColumn.allCases
      data.buffer(csv: columns.map { $0.rawValue })
      try link.history(query) { job in
        data.buffer(csv: columns.map { $0.text(of: job, at: .present) })
      }
      data.flush()
      return ExitCode.success
    }
    if let format = invocation.text(.format) {
      let columns = try JobColumn.list(format)
      try link.history(query) { write($0, columns) }
      data.flush()
      return ExitCode.success
    }
    var jobs: [JobStatus] = []
    try link.history(query) { jobs.append($0) }
    guard !jobs.isEmpty else {
      talk.write(
        line: Self.selects(invocation)
          ? "no ended job matches" : "nothing has ended yet. Try: jobrun run -- COMMAND")
      return ExitCode.success
    }
    let colour = surroundings.wantsColour && data.isTerminal
    for line in HistoryTable.lines(jobs, width: data.columns, now: Moment.present.wall) {
      data.buffer(line: line, colour: colour)
    }
    // Those of all that match.
    let totals = try link.historyTotals(query)
    if let text = HistoryTable.text(totals) { data.buffer(line: text) }
    data.flush()
    if jobs.count == query.limit, totals.jobCount > jobs.count {
      let shown = jobs.count == 1 ? "latest one is" : "latest \(jobs.count) are"
      talk.write(line: "only the \(shown) shown; --limit 0 shows all")
    }
    return ExitCode.success
  }

  /// Output has one form.
  func checkForm(_ invocation: Invocation) throws(WireError) {
    guard invocation.isSet(.csv), invocation.isSet(.json) else { return }
    throw WireError(
      .usage, "\(Flag.csv.spelling) and \(Flag.json.spelling) cannot be used together")
  }

  /// Whether only some of all ended jobs are asked for.
  private static func selects(_ invocation: Invocation) -> Bool {
    [Flag.outcome, .definition, .historySince, .historyUntil, .titlePart, .ofGroup]
      .contains(where: invocation.isSet)
  }

  private func query(_ invocation: Invocation) throws(WireError) -> HistoryQuery {
    var query = HistoryQuery()
    if let limit = invocation.count(.historyLimit) { query.limit = Int(clamping: limit) }
    query.outcome = invocation.text(.outcome).flatMap { Outcome(rawValue: $0) }
    query.definition = invocation.text(.definition)
    query.title = invocation.text(.titlePart)
    query.group = try invocation.text(.ofGroup).map { text throws(WireError) in
      try GroupName(checking: text)
    }
    (query.since, query.until) = try range(invocation)
    return query
  }

  /// The times of --since and --until.
  func range(
    _ invocation: Invocation
  ) throws(WireError) -> (since: WallTime?, until: WallTime?) {
    let now = Moment.present.wall
    let since = try invocation.text(.historySince).map { text throws(WireError) in
      try PastTime.parse(text, .start, now: now, flag: .historySince)
    }
    let until = try invocation.text(.historyUntil).map { text throws(WireError) in
      try PastTime.parse(text, .end, now: now, flag: .historyUntil)
    }
    if let since, let until, since >= until {
      throw WireError(
        .usage,
        "--since (\(ShownTime.whole(since))) is not before --until (\(ShownTime.whole(until)));"
          + " nothing can have ended between them")
    }
    return (since, until)
  }

  /// Carries out `jobrun forget ID… | --all`.
  func forget(_ invocation: Invocation) throws(WireError) -> Int32 {
    let link = try link()
    return try forEachJob(invocation, .ended, all: .allEnded, on: link) { job throws(WireError) in
      _ = try link.ask(.forget(.number(job.number)))
      report(job, "forgot job \(job.number)", invocation)
    }
  }

  /// Carries out `jobrun redo ID… | --all [--failed] [--with-dependents] [--force]`.
  func redo(_ invocation: Invocation) throws(WireError) -> Int32 {
    let link = try link()
    let filter = try JobFilter(invocation)
    let scope =
      invocation.isSet(.failed)
      ? JobScope.failed : filter.isSet ? .ended : .unsuccessful
    var edit = JobEdit()
    edit.title = invocation.text(.title)
    edit.priority = invocation.choice(.newPriority)
    try edit.takeLimits(invocation)
    var redone: Set<JobNumber> = []
    func redo(_ before: JobStatus, hold: Bool, _ edit: JobEdit) throws(WireError) {
      guard redone.insert(before.number).inserted else { return }
      let after = try job(
        answering: .redo(
          .number(before.number), force: invocation.isSet(.force), hold: hold, edit), on: link)
      report(after, attemptSentence(after), invocation)
      guard invocation.isSet(.withDependents) else { return }
      for dependent in try dependents(of: before.number, on: link) {
        try redo(dependent, hold: false, JobEdit())
      }
    }
    var invocation = invocation
    if scope != .unsuccessful {
      invocation.operands = try invocation.operands.map { word throws(WireError) in
        try batch(word, on: link) ?? word
      }
    }
    return try forEachJob(invocation, scope, all: .allUnsuccessful, on: link) {
      before throws(WireError) in
      try redo(before, hold: invocation.isSet(.hold), edit)
    }
  }

  /// The numbers of a submission's jobs, which share this name; nil for any other name.
  private func batch(_ word: Argument, on link: RunnerLink) throws(WireError) -> Argument? {
    guard case .one = try JobOperand(word), JobName.isName(word.text) else { return nil }
    var query = HistoryQuery()
    query.limit = JobName.endedSearched
    var known = try jobs(all: false, on: link)
    try link.history(query) { known.append($0) }
    let latestFirst = known.sorted { $0.number > $1.number }
    guard let range = JobName.batch(word.text, among: latestFirst) else { return nil }
    return Argument("\(range.first)-\(range.last)")
  }

  private func attemptSentence(_ job: JobStatus) -> String {
    guard let reason = waitingReason(of: job) else {
      return "job \(job.number) starts another attempt; watch it with jobrun attach \(job.number)"
    }
    return "job \(job.number) is queued for another attempt\(reason)"
  }

  /// The ended jobs that come after a job and were refused for its end, ascending.
  private func dependents(
    of number: JobNumber, on link: RunnerLink
  ) throws(WireError) -> [JobStatus] {
    var query = HistoryQuery()
    (query.limit, query.outcome) = (0, .refused)
    var found: [JobStatus] = []
    try link.history(query) { job in
      if (job.terms.after + job.terms.afterOne).contains(number) { found.append(job) }
    }
    return found.sorted { $0.number < $1.number }
  }
}
