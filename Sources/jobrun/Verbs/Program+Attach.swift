import JobClient
import JobCore
import JobWire
import LinuxSystem

extension Program {
  /// Carries out `jobrun attach ID`.
  func attach(_ invocation: Invocation) throws(WireError) -> Int32 {
    if case .several(let selection) = try JobOperand(invocation.operands[0]) {
      return try watch(selection, invocation, steers: true)
    }
    let link = try link()
    let job = try job(invocation.operands[0], on: link)
    return try watch(job, invocation, link: link, input: try terminalInput(invocation))
  }

  /// Watches a job and steers it with keys; the exit code is the job's.
  func watch(
    _ job: JobStatus, _ invocation: Invocation, link: RunnerLink, input: TerminalInput
  ) throws(WireError) -> Int32 {
    try watchLoop(job, invocation, link: link, input: input).run()
  }

  /// How a watched job is shown.
  func watchStyle(_ invocation: Invocation) -> WatchDisplay.Style {
    if invocation.isSet(.json) { return .json }
    if invocation.isSet(.quiet) { return .none }
    return talk.isTerminal && !surroundings.isDumb && !invocation.isSet(.plain) ? .live : .sparse
  }

  func watchLoop(
    _ job: JobStatus, _ invocation: Invocation, link: RunnerLink, input: TerminalInput
  ) throws(WireError) -> WatchLoop {
    WatchLoop(
      job, link: link, display: try watchDisplay(invocation, link: link), input: input,
      steers: true)
  }

  func watchDisplay(
    _ invocation: Invocation, link: RunnerLink
  ) throws(WireError) -> WatchDisplay {
    let style = watchStyle(invocation)
    let configuration = try surroundings.configuration(link.paths)
    return WatchDisplay(
      style: style, followsLog: invocation.isSet(.follow), data: data, talk: talk,
      colour: surroundings.wantsColour,
      taskbar: TaskbarProgress.Way(
        environment: surroundings.environment,
        configured: configuration.taskbar),
      bell: invocation.isSet(.bell)
        ? .always
        : configuration.notices.bell ? .worthy(configuration.notices.rules) : .never,
      isQuiet: invocation.isSet(.quiet))
  }

  /// Keys and signals, heard from now on.
  func terminalInput(_ invocation: Invocation) throws(WireError) -> TerminalInput {
    try WireError.from(.internal) { () throws(SystemError) in try TerminalInput(wantsKeys: true) }
  }

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
    if operands.count == 1, case .one(let word) = operands[0] {
      return try log(of: try job(word, on: link), invocation, on: link)
    }
    guard !invocation.isSet(.follow) else {
      throw WireError(.usage, "\(Flag.follow.spelling) follows the output of one job only")
    }
    var isFirst = true
    return try forEachJob(invocation, .any, on: link) { job throws(WireError) in
      if !invocation.isSet(.json) {
        // As tail(1) and head(1) say which file is which.
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
    let tail = try WireError.from(.internal) { () throws(SystemError) -> LogTail in
      if let count = invocation.count(.lines) { return try LogTail(path: job.log, lines: count) }
      return LogTail(path: job.log)
    }
    let lines = try WireError.from(.internal) { () throws(SystemError) in
      LogLines(after: isJSON ? try tail.linesBefore() : 0)
    }
    guard invocation.isSet(.follow) else {
      return try printLog(of: job, from: tail, isJSON ? lines : nil)
    }
    let input = try WireError.from(.internal) { () throws(SystemError) in
      try TerminalInput(wantsKeys: false)
    }
    let display = WatchDisplay(
      style: .none, followsLog: true, data: data, talk: talk, colour: surroundings.wantsColour)
    if isJSON { display.cutLog(of: job.number, lines) }
    let code = try WatchLoop(
      job, link: link, display: display, input: input, steers: false, log: tail
    ).run()
    return code == ExitCode.detached ? code : ExitCode.success
  }

  /// `lines` cuts it for programs; nil = it is printed as it is.
  private func printLog(
    of job: JobStatus, from tail: LogTail, _ lines: LogLines?
  ) throws(WireError) -> Int32 {
    var (tail, lines) = (tail, lines)
    var filter = LogFilter()
    let filters = data.isTerminal
    while !data.isClosed {
      let bytes = try WireError.from(.internal) { () throws(SystemError) in try tail.next() }
      if bytes.isEmpty { break }
      if let pieces = lines?.receive(bytes) {
        for piece in pieces { writeJSON(piece, of: job.number) }
      } else {
        data.buffer(log: filters ? filter.filtered(bytes) : bytes)
      }
    }
    if let piece = lines?.last() { writeJSON(piece, of: job.number) }
    data.flush()
    if tail.offset == 0 { talk.write(line: "job \(job.number) has no output") }
    return ExitCode.success
  }
}
