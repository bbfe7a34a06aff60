import JobClient
import JobWire
import LinuxSystem

extension Program {
  /// Carries out `jobrun attach ID`.
  func attach(_ invocation: Invocation) throws(WireError) -> Int32 {
    if let word = invocation.operands.first, case .several(let selection) = try JobOperand(word) {
      return try watch(selection, invocation, steers: true)
    }
    let link = try link()
    let word = invocation.operands.first
    let job = if let word { try job(word, on: link) } else { try latest(on: link) }
    return try watch(
      job, invocation, link: link, input: try terminalInput(invocation), showsOutput: true)
  }

  /// Watches a job and steers it with keys; the exit code is the job's.
  ///
  /// `announce` prints what comes first.
  func watch(
    _ job: JobStatus, _ invocation: Invocation, link: RunnerLink, input: TerminalInput,
    showsOutput: Bool = false,
    announcing announce: () throws(WireError) -> Void = { () throws(WireError) in }
  ) throws(WireError) -> Int32 {
    if takesKeys(job, invocation) {
      try announce()
      return try visit(job, invocation, link: link, input: input)
    }
    let display = try watchDisplay(invocation, link: link)
    if showsOutput { display.showOutput() }
    let screen = JobScreen(job, display: display, steers: true)
    return try LiveLoop(screen, link: link, input: input).run(announcing: announce)
  }

  /// How a watched job is shown.
  func watchStyle(_ invocation: Invocation) -> WatchDisplay.Style {
    if invocation.isSet(.json) { return .json }
    if invocation.isSet(.quiet) { return .none }
    return talk.isTerminal && !surroundings.isDumb && !invocation.isSet(.plain) ? .live : .sparse
  }

  func watchDisplay(
    _ invocation: Invocation, link: RunnerLink, followsLog: Bool? = nil
  ) throws(WireError) -> WatchDisplay {
    let style = watchStyle(invocation)
    // A mistake in it has been reported, and hides no job.
    let configuration =
      (try? surroundings.configuration(link.paths)) ?? RunnerConfiguration()
    return WatchDisplay(
      style: style, followsLog: followsLog ?? invocation.isSet(.follow), data: data, talk: talk,
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
}
