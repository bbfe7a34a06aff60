import JobClient
import JobCore
import JobPage
import JobWire
import LinuxSystem

extension Program {
  /// Carries out `jobrun each [flags] -- COMMAND {} ::: A B C`.
  func each(_ typed: Invocation) throws(WireError) -> Int32 {
    let invocation = try scriptOptions(of: typed)
    var inputs = try BatchInputs(
      invocation.arguments, try BatchInputs.Format(invocation), reading: inputsPipedIn)
    // Keep the verb, to identify the process.
    if invocation.isSet(.hideCommand) { OwnArguments.wipe(keeping: 2) }
    if !AddressLogin.ranges(in: inputs.bytes[...]).isEmpty { OwnArguments.wipeLogins() }
    try BatchInputs.checkColumns(in: invocation.text(.title) ?? "", inputs.names)
    let isDry = invocation.isSet(.dryRun)
    if isDry, !invocation.isSet(.resumeBatch) { return try printCommands(of: inputs) }
    var command = invocation
    command.arguments = inputs.command
    let link = try link()
    var request = try Submitter.request(forCommand: command)
    request.title = BatchInputs.numbered(request.title, inputs.names)
    let title = request.title
    if invocation.isSet(.title), !invocation.isSet(.hideCommand) { request.title.addPlace() }
    try request.options.takeHalt(invocation, count: inputs.count)
    try request.options.takeDelay(invocation)
    let form = try BatchOutput.Form(invocation)
    let directory = try directory(of: invocation)
    try request.takeOutput(invocation, in: directory, naming: inputs.names)
    try request.checkOwnOutputs(invocation, of: inputs)
    try takePrerequisites(invocation, on: link, into: &request)
    let reading = try submittedInput(invocation, for: request, paths: link.paths)
    defer { withExtendedLifetime(reading) {} }
    request.details.input = reading.input
    let specification = try specification(ofCommand: command, in: directory)
    let all = inputs.count
    if invocation.isSet(.resumeBatch) {
      inputs = try unfinished(inputs, in: specification, invocation, on: link)
    }
    if isDry { return try printCommands(of: inputs) }
    guard inputs.count > 0 else { return try nothingToDo(invocation, of: all) }
    try setSlots(invocation, of: &request)
    try link.connect()
    // From here on Ctrl-C is about the jobs and not about this process.
    let input = invocation.isSet(.detach) ? nil : try terminalInput(invocation)
    let many = ManyRequest(request, count: inputs.count, width: inputs.width)
    let range = JobRange(
      first: try link.submit(many, specification, inputs: inputs.bytes), count: inputs.count)
    guard let input else {
      announce(range, invocation, isWatched: false)
      return ExitCode.success
    }
    let jobs = BatchJobs(
      title, .range(range), halts: BatchJobs.Halt(request.options), at: .present)
    let display = try watchDisplay(invocation, link: link)
    var output: BatchOutput?
    if let form, display.style != .json {
      let lists = try PackedInputs(inputs.bytes, count: inputs.count, width: inputs.width)
      let template = CommandTemplate([Array(request.title.utf8)])
      output = BatchOutput(range, form, paths: link.paths, data: data) { index in
        template.shown(
          with: CommandTemplate.Filling(lists[index], position: index + 1), bytes: Limits.titleBytes
        )
      }
    }
    let screen = BatchScreen(jobs, display: display, talk: talk, data: data, output: output)
    return try LiveLoop(screen, link: link, input: input).run { () throws(WireError) in
      announce(range, invocation, isWatched: true)
    }
  }

  /// The output of `--dry-run`: one line per command, quoted for a shell.
  private func printCommands(of inputs: BatchInputs) throws(WireError) -> Int32 {
    for words in try inputs.commands() {
      data.buffer(line: ShellText.command(words.map { String(decoding: $0, as: UTF8.self) }))
    }
    data.flush()
    return ExitCode.success
  }

  /// An empty `find` must not break a script.
  private func nothingToDo(_ invocation: Invocation, of all: Int) throws(WireError) -> Int32 {
    if all == 0, invocation.isSet(.requireInput) { throw InputSource.noInputs }
    if invocation.isSet(.json) {
      let count = 0
      writeJSON { $0.field("count", count) }
      data.flush()
    } else if !invocation.isSet(.quiet) {
      talk.write(
        line: all == 0
          ? "no inputs; nothing was submitted"
          : "all \(QuantityText.grouped(all)) jobs wait, run or have succeeded; nothing was submitted"
      )
    }
    return ExitCode.success
  }

  /// The inputs whose command has not succeeded here, is not running and is not waiting.
  private func unfinished(
    _ inputs: BatchInputs, in specification: LaunchSpecification, _ invocation: Invocation,
    on link: RunnerLink
  ) throws(WireError) -> BatchInputs {
    guard !invocation.isSet(.hideCommand) else {
      throw WireError(
        .usage,
        "\(Flag.resumeBatch.spelling) goes by the commands, which \(Flag.hideCommand.spelling) keeps"
          + " secret; leave one of them out")
    }
    var done: Set<[String]> = []
    let directory = String(decoding: specification.directory, as: UTF8.self)
    _ = try link.list(all: true, brief: false, of: nil) { job in
      if job.state != .ended || job.outcome == .succeeded, job.terms.directory == directory,
        let command = job.terms.command
      {
        done.insert(command)
      }
      return true
    }
    let name = invocation.arguments.first?.text ?? ""
    let commands = try inputs.commands()
    return try BatchInputs(inputs) { index in
      let words = commands[index].map { String(decoding: $0, as: UTF8.self) }
      return !done.contains([name] + words.dropFirst())
    }
  }

  /// The slots of the group, or of a group that there is for these jobs only.
  private func setSlots(
    _ invocation: Invocation, of request: inout SubmitRequest
  ) throws(WireError) {
    guard let count = invocation.count(.batchSlots) else { return }
    if let name = invocation.text(.group) {
      return try set(slots: count, of: GroupName(checking: name), on: try link())
    }
    request.options.groupSlots = try SubmitRequest.slots(count, .batchSlots)
    request.options.group = try GroupName(checking: "each-\(FreshName.suffix())")
  }

  /// The piped input, from its position to its end; nil for a terminal.
  private func inputsPipedIn() throws(WireError) -> [UInt8]? {
    if Terminal.isTerminal(0) { return nil }
    do throws(SystemError) {
      return try BorrowedDescriptor(0).readToEnd(limit: Limits.inputBytes)
    } catch {
      guard error.number != SystemError.tooLarge else {
        throw InputSource.tooMany(in: "standard input")
      }
      throw WireError(.usage, "the inputs on standard input cannot be read: \(error.reason)")
    }
  }

  /// Prints the accepted jobs, for programs as `12-14`.
  func announce(_ range: JobRange, _ invocation: Invocation, isWatched: Bool) {
    if invocation.isSet(.json) {
      writeJSON {
        $0.field("first", range.first.value)
        $0.field("count", range.count)
      }
    } else if printsNumber(invocation) {
      data.buffer(line: range.count == 1 ? "\(range.first)" : "\(range.first)-\(range.last)")
    } else if !invocation.isSet(.quiet) {
      let isShown = isWatched && watchStyle(invocation) == .live && data.isTerminal
      if !isShown { data.buffer(line: range.words) }
    }
    data.flush()
  }
}

extension JobRange {
  /// `job 12`, `jobs 12–14`.
  var words: String { count == 1 ? "job \(first)" : "jobs \(first)–\(last)" }
}

extension String {
  /// Adds the position in the batch to a title, if there is space and no place for it yet.
  fileprivate mutating func addPlace() {
    let place = " {}"
    guard !CommandTemplate([Array(utf8)]).hasPlacesOfAnyKind,
      utf8.count + place.utf8.count <= Limits.titleBytes
    else { return }
    self += place
  }
}
