import JobClient
import JobWire
import LinuxSystem

extension Program {
  /// Carries out `jobrun log ID… [-n N] [-f]`.
  func log(_ invocation: Invocation) throws(WireError) -> Int32 {
    let operands = try JobOperand.all(invocation.operands)
    if let other = [Flag.lines, .follow].first(where: { invocation.isSet($0) }),
      invocation.isSet(.explain)
    {
      throw WireError(
        .usage,
        "\(Flag.explain.spelling) prints no output, so \(other.spelling) does not go with it")
    }
    let link = try link()
    if operands.isEmpty, !(try JobFilter(invocation).isSet) {
      if invocation.isSet(.follow), let code = try followRunning(invocation, on: link) {
        return code
      }
      return try log(of: try latest(on: link), invocation, on: link)
    }
    if operands.count == 1, case .one(let word) = operands[0] {
      return try log(of: try job(word, on: link), invocation, on: link)
    }
    if invocation.isSet(.follow) {
      return try followLogs(of: try selected(invocation, on: link), invocation, on: link)
    }
    var isFirst = true
    return try forEachJob(invocation, .any, on: link) { job throws(WireError) in
      if !invocation.isSet(.json), !invocation.isSet(.noHeading), !invocation.isSet(.tag) {
        // Headers as in reader(1) and head(1).
        if !isFirst { data.buffer(line: "") }
        data.buffer(line: SafeText.shown("==> \(job.number) \(job.title) <=="))
      }
      isFirst = false
      _ = try log(of: job, invocation, on: link)
    }
  }

  private func log(
    of job: JobStatus, _ invocation: Invocation, on link: RunnerLink
  ) throws(WireError) -> Int32 {
    let isJSON = invocation.isSet(.json)
    if invocation.isSet(.explain) { return explain(job, isJSON, link.paths) }
    let reader = try WireError.from(.internal) { () throws(SystemError) -> LogReader in
      if let count = invocation.count(.lines) { return try LogReader(path: job.log, lines: count) }
      return LogReader(path: job.log)
    }
    let lines = try WireError.from(.internal) { () throws(SystemError) in
      LogLines(after: isJSON ? try reader.linesBefore() : 0)
    }
    let printing = LogPrinting(
      tag: invocation.isSet(.tag) ? Array("\(job.number)\t".utf8) : nil,
      first: invocation.count(.firstLines))
    guard invocation.isSet(.follow) else {
      return try printLog(of: job, from: reader, isJSON ? lines : nil, printing)
    }
    let input = try WireError.from(.internal) { () throws(SystemError) in
      try TerminalInput(wantsKeys: false)
    }
    let display = WatchDisplay(
      style: .none, followsLog: true, data: data, talk: talk, colour: surroundings.wantsColour)
    if isJSON { display.cutLog(of: job.number, lines) }
    let screen = JobScreen(job, display: display, steers: false, log: reader)
    let code = try LiveLoop(screen, link: link, input: input).run()
    return code == ExitCode.detached ? code : ExitCode.success
  }

  /// `lines` splits it for programs; nil = it is printed unchanged.
  private func printLog(
    of job: JobStatus, from reader: LogReader, _ lines: LogLines?, _ printing: LogPrinting
  ) throws(WireError) -> Int32 {
    var (reader, lines, printing) = (reader, lines, printing)
    var filter = LogFilter()
    let filters = data.isTerminal
    while !data.isClosed, !printing.isOver {
      let bytes = try WireError.from(.internal) { () throws(SystemError) in try reader.next() }
      if bytes.isEmpty { break }
      if let pieces = lines?.receive(bytes) {
        for piece in pieces { writeJSON(piece, of: job.number) }
      } else {
        data.buffer(log: printing.receive(filters ? filter.filtered(bytes) : bytes))
      }
    }
    if let piece = lines?.last() { writeJSON(piece, of: job.number) }
    data.flush()
    if reader.offset == 0, !printing.isOver { talk.write(line: "job \(job.number) has no output") }
    return ExitCode.success
  }
}
