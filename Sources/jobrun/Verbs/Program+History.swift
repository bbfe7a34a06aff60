import JobClient
import JobCore
import JobWire

extension Program {
  /// Carries out `jobrun history [--limit N] [--outcome O] [--since WHEN] [--definition NAME]
  /// [--json]`.
  func history(_ invocation: Invocation) throws(WireError) -> Int32 {
    let query = try query(invocation)
    let link = try link()
    if invocation.isSet(.json) {
      _ = try link.ask(.history(query)) { writeJSON($0) }
      data.flush()
      return ExitCode.success
    }
    if let format = invocation.text(.format) {
      let columns = try JobColumn.list(format)
      _ = try link.ask(.history(query)) { write($0, columns) }
      data.flush()
      return ExitCode.success
    }
    var jobs: [JobObject] = []
    _ = try link.ask(.history(query)) { jobs.append($0) }
    guard !jobs.isEmpty else {
      talk.write(line: "no job has ended" + (query == HistoryQuery() ? "" : " that fits"))
      return ExitCode.success
    }
    let colour = surroundings.wantsColour && data.isTerminal
    for line in JobTable.lines(jobs, width: data.columns, at: .present) {
      data.buffer(line: line.rendered(colour: colour))
    }
    data.flush()
    if jobs.count == query.limit {
      talk.write(line: "these are the latest \(jobs.count); --limit 0 shows all")
    }
    return ExitCode.success
  }

  private func query(_ invocation: Invocation) throws(WireError) -> HistoryQuery {
    var query = HistoryQuery()
    if let limit = invocation.count(.historyLimit) { query.limit = Int(clamping: limit) }
    query.outcome = invocation.text(.outcome).flatMap { Outcome(rawValue: $0) }
    query.definition = invocation.text(.definition)
    if let text = invocation.text(.historySince) {
      query.since = try Self.time(text, now: Moment.present.wall)
    }
    return query
  }

  /// `2h` ago, a day such as `2026-03-01` (UTC), or a time such as `2026-03-01T12:34:56Z`.
  static func time(_ text: String, now: WallTime) throws(WireError) -> WallTime {
    if let time = WallTime(text) ?? WallTime(text + "T00:00:00Z") { return time }
    do throws(WireError) {
      let ago = try DurationText.parse(text)
      return WallTime(milliseconds: now.milliseconds - Int64(clamping: ago.milliseconds))
    } catch {
      throw WireError(
        .usage,
        "--since: \(text.quoted) is neither a duration (2h, 3d) nor a day (2026-03-01)"
          + " nor a time (2026-03-01T12:34:56Z)")
    }
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
          talk.write(line: "job \(job.number) is forgotten")
        }
      } catch {
        complain(error, isJSON: invocation.isSet(.json))
        if code == ExitCode.success { code = error.code.exitCode }
      }
    }
    return code
  }

  /// Carries out `jobrun redo ID [--json]`.
  func redo(_ invocation: Invocation) throws(WireError) -> Int32 {
    let link = try link()
    let job = try job(invocation.operands[0], on: link)
    let after = try self.job(answering: .redo(.number(job.number)), on: link)
    if invocation.isSet(.json) {
      writeJSON(after)
      data.flush()
    } else {
      talk.write(
        line: "job \(after.number) makes another attempt; see it with jobrun attach \(after.number)"
      )
    }
    return ExitCode.success
  }
}
