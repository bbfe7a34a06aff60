import JobClient
import JobCore
import JobWire
import LinuxSystem

extension Flag {
  /// Those of `each`, in the order of the help.
  static let ofBatches: [Flag] = [
    .title, .group, .groupSlots, .on, .detach, .halt, .keepGoing, .null, .require, .onStall,
    .stallAfter,
    .silentAfter,
    .grace, .limit, .notBefore, .onEnd, .after, .afterAny, .priority, .hold, .retries, .stdin,
    .hideCommand, .plain, .quiet, .id, .json,
  ]

  static let halt = Flag(
    "halt", .none, "as soon as one job fails, cancel all that have not ended, whoever watches")
  static let keepGoing = Flag(
    "keep-going", .none, "go on with the others when a job fails (the default)")
  static let null = Flag(
    "null", short: "0", .none,
    "inputs in files and on standard input end with NUL, as of find -print0")
}

extension Program {
  /// Carries out `jobrun each [flags] -- COMMAND {} ::: A B C`.
  func each(_ invocation: Invocation) throws(WireError) -> Int32 {
    let inputs = try BatchInputs(
      invocation.arguments, endsWithNUL: invocation.isSet(.null), reading: inputsPipedIn)
    // The verb stays, so that a person knows what it is.
    if invocation.isSet(.hideCommand) { OwnArguments.wipe(keeping: 2) }
    if !AddressLogin.ranges(in: inputs.bytes[...]).isEmpty { OwnArguments.wipeLogins() }
    try checkHalt(invocation)
    try setSlots(ofGroupIn: invocation)
    var command = invocation
    command.arguments = inputs.command
    let link = try link()
    var request = try Submitter.request(forCommand: command)
    let title = request.title
    if invocation.isSet(.title), !invocation.isSet(.hideCommand) { request.title.addPlace() }
    request.options.halts = invocation.isSet(.halt)
    try takePrerequisites(invocation, on: link, into: &request)
    request.details.input = try submittedInput(invocation, for: request, paths: link.paths).input
    let specification = try specification(ofCommand: command, in: surroundings.directory())
    try link.connect()
    // From here on Ctrl-C is about the jobs and not about this process.
    let input = invocation.isSet(.detach) ? nil : try terminalInput(invocation)
    let many = ManyRequest(request, count: inputs.count, width: inputs.width)
    let range = JobRange(
      first: try link.submit(many, specification, inputs: inputs.bytes), count: inputs.count)
    announce(range, invocation, isWatched: input != nil)
    guard let input else { return ExitCode.success }
    let jobs = BatchJobs(title, .range(range), halts: invocation.isSet(.halt), at: .present)
    let display = try watchDisplay(invocation, link: link)
    return try BatchLoop(jobs, link: link, display: display, input: input, talk: talk, data: data)
      .run()
  }

  private func setSlots(ofGroupIn invocation: Invocation) throws(WireError) {
    guard let count = invocation.count(.groupSlots) else { return }
    guard let name = invocation.text(.group) else {
      throw WireError(
        .usage, "\(Flag.groupSlots.spelling) needs \(Flag.group.spelling): slots belong to a group")
    }
    try set(slots: count, of: GroupName(checking: name), on: try link())
  }

  private func checkHalt(_ invocation: Invocation) throws(WireError) {
    if invocation.isSet(.halt), invocation.isSet(.keepGoing) {
      throw WireError(
        .usage, "\(Flag.halt.spelling) and \(Flag.keepGoing.spelling) cannot be used together")
    }
  }

  /// What is piped in, from where it is to its end; nil for a terminal.
  private func inputsPipedIn() throws(WireError) -> [UInt8]? {
    if Terminal.isTerminal(0) { return nil }
    do throws(SystemError) {
      return try BorrowedDescriptor(0).readToEnd(limit: Limits.inputBytes)
    } catch {
      guard error.number != SystemError.tooLarge else {
        throw BatchInputs.tooMany(in: "standard input")
      }
      throw WireError(.usage, "the inputs on standard input cannot be read: \(error.reason)")
    }
  }

  /// Says which jobs were accepted, to programs as `12-14`.
  private func announce(_ range: JobRange, _ invocation: Invocation, isWatched: Bool) {
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
  /// Of a title: says which of many it is, where there is room and no place for that yet.
  fileprivate mutating func addPlace() {
    let place = " {}"
    guard !CommandTemplate([Array(utf8)]).hasPlaces,
      utf8.count + place.utf8.count <= Limits.titleBytes
    else { return }
    self += place
  }
}
