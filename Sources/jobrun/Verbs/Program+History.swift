import JobClient
import JobCore
import JobWire

extension Program {
  /// Carries out `jobrun history [--limit N] [--since WHEN] [--until WHEN] [--title TEXT]
  /// [--outcome O] [--definition NAME] [--json]`.
  func history(_ invocation: Invocation) throws(WireError) -> Int32 {
    let query = try query(invocation)
    let link = try link()
    if invocation.isSet(.json) {
      try link.history(query) { writeJSON($0) }
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
    if let totals = HistoryTable.totals(jobs) { data.buffer(line: totals) }
    data.flush()
    if jobs.count == query.limit {
      let shown = jobs.count == 1 ? "latest one is" : "latest \(jobs.count) are"
      talk.write(line: "only the \(shown) shown; --limit 0 shows all")
    }
    return ExitCode.success
  }

  /// Whether only some of all ended jobs are asked for.
  private static func selects(_ invocation: Invocation) -> Bool {
    [Flag.outcome, .definition, .historySince, .historyUntil, .titlePart]
      .contains(where: invocation.isSet)
  }

  private func query(_ invocation: Invocation) throws(WireError) -> HistoryQuery {
    var query = HistoryQuery()
    if let limit = invocation.count(.historyLimit) { query.limit = Int(clamping: limit) }
    query.outcome = invocation.text(.outcome).flatMap { Outcome(rawValue: $0) }
    query.definition = invocation.text(.definition)
    query.title = invocation.text(.titlePart)
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

  /// Carries out `jobrun forget ID…`.
  func forget(_ invocation: Invocation) throws(WireError) -> Int32 {
    let link = try link()
    var code = ExitCode.success
    for operand in invocation.operands {
      do throws(WireError) {
        let job = try job(operand, on: link)
        _ = try link.ask(.forget(.number(job.number)))
        if invocation.isSet(.json) {
          writeJSON(job)
          data.flush()
        } else {
          talk.write(line: "forgot job \(job.number)")
        }
      } catch {
        complain(error, isJSON: invocation.isSet(.json))
        if code == ExitCode.success { code = error.code.exitCode }
      }
    }
    return code
  }

  /// Carries out `jobrun redo ID [--force]` and `jobrun redo group:NAME [--failed]`.
  func redo(_ invocation: Invocation) throws(WireError) -> Int32 {
    if let group = try invocation.operands[0].group() { return try redo(group, invocation) }
    guard !invocation.isSet(.failed) else {
      throw WireError(
        .usage,
        "\(Flag.failed.spelling) is for a group: jobrun redo group:NAME \(Flag.failed.spelling)")
    }
    let link = try link()
    let job = try job(invocation.operands[0], on: link)
    let after = try self.job(
      answering: .redo(.number(job.number), force: invocation.isSet(.force)), on: link)
    if invocation.isSet(.json) {
      writeJSON(after)
      data.flush()
    } else {
      talk.write(
        line:
          "job \(after.number) starts another attempt; watch it with jobrun attach \(after.number)"
      )
    }
    return ExitCode.success
  }
}
