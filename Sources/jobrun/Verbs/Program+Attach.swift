import JobClient
import JobCore
import JobWire
import LinuxSystem

extension Program {
  /// Carries out `jobrun attach ID`.
  func attach(_ invocation: Invocation) throws(WireError) -> Int32 {
    let link = try link()
    let job = try job(invocation.operands[0], on: link)
    return try watch(job, invocation, link: link, input: try terminalInput(invocation))
  }

  /// Watches a job and steers it with keys; the exit code is the job's.
  func watch(
    _ job: JobObject, _ invocation: Invocation, link: RunnerLink, input: TerminalInput
  ) throws(WireError) -> Int32 {
    let style: WatchDisplay.Style =
      invocation.isSet(.json)
      ? .json
      : talk.isTerminal && !surroundings.isDumb && !invocation.isSet(.plain) ? .live : .sparse
    let configuration = try surroundings.configuration(link.places)
    let display = WatchDisplay(
      style: style, followsLog: invocation.isSet(.follow), data: data, talk: talk,
      colour: surroundings.wantsColour,
      taskbar: TaskbarProgress.Way(
        environment: surroundings.environment,
        configured: configuration.taskbar),
      bell: invocation.isSet(.bell)
        ? .always
        : configuration.notices.bell ? .worthy(configuration.notices.rules) : .never)
    return try WatchLoop(job, link: link, display: display, input: input, steers: true).run()
  }

  /// Keys and signals, heard from now on.
  func terminalInput(_ invocation: Invocation) throws(WireError) -> TerminalInput {
    try WireError.from(.internal) { () throws(SystemError) in try TerminalInput(wantsKeys: true) }
  }

  /// Carries out `jobrun log ID [-f]`.
  func log(_ invocation: Invocation) throws(WireError) -> Int32 {
    let link = try link()
    let job = try job(invocation.operands[0], on: link)
    let isJSON = invocation.isSet(.json)
    guard invocation.isSet(.follow) else { return try printLog(of: job, isJSON: isJSON) }
    let input = try WireError.from(.internal) { () throws(SystemError) in
      try TerminalInput(wantsKeys: false)
    }
    let display = WatchDisplay(
      style: .none, followsLog: true, data: data, talk: talk, colour: surroundings.wantsColour)
    if isJSON { display.cutLog(of: job.number) }
    let code = try WatchLoop(
      job, link: link, display: display, input: input, steers: false
    ).run()
    return code == ExitCode.detached ? code : ExitCode.success
  }

  private func printLog(of job: JobObject, isJSON: Bool) throws(WireError) -> Int32 {
    var lines = LogLines()
    var tail = LogTail(path: job.log)
    var filter = LogFilter()
    let filters = data.isTerminal
    while !data.isClosed {
      let bytes = try WireError.from(.internal) { () throws(SystemError) in try tail.next() }
      if bytes.isEmpty { break }
      if isJSON {
        for piece in lines.take(bytes) { writeJSON(piece, of: job.number) }
      } else {
        data.buffer(filters ? filter.filtered(bytes) : bytes)
      }
    }
    if isJSON, let piece = lines.last() { writeJSON(piece, of: job.number) }
    data.flush()
    if tail.offset == 0 { talk.write(line: "job \(job.number) has written nothing") }
    return ExitCode.success
  }
}
