import JobClient
import JobCore
import JobWire
import LinuxSystem

extension Program {
  /// Carries out `jobrun schedule JOB [--earliest TIME] [--require …] [-- ARG …]`.
  ///
  /// It never watches the job, which may start much later.
  func schedule(_ invocation: Invocation) throws(WireError) -> Int32 {
    guard let operand = invocation.operands.first else { return try scheduleCommand(invocation) }
    for flag in [Flag.every, .at, .stdin] where invocation.isSet(flag) {
      throw WireError(
        .usage,
        "\(flag.spelling) is for commands; to repeat a definition, schedule the command"
          + " jobrun submit \(operand.text) --detach")
    }
    let link = try link()
    let directory = try surroundings.directory()
    let search = try surroundings.search(
      flag: invocation.text(.jobs), directory: directory, paths: link.paths)
    let found = try resolve(operand, in: search)
    if asksForHelp(found.definition, invocation) {
      return explain(found.definition, isJSON: invocation.isSet(.json))
    }
    try Self.checkKind(of: found.definition)
    try Self.checkPush(found.definition)
    try found.definition.checkArguments(invocation.arguments.map { $0.text }, verb: "schedule")
    let request = try Submitter.request(for: found, invocation)
    let specification = try specification(of: found.definition, invocation, in: directory)
    let (job, _) = try link.submit(request, specification)
    return tell(job, invocation)
  }

  /// A job that a person starts and watches is not the runner's to start.
  private static func checkKind(of definition: Definition) throws(WireError) {
    guard !definition.manifest.options.kind.isScheduled else { return }
    let name = definition.name
    throw WireError(
      .usage,
      "\(name) is of the kind continued, which is not scheduled: use jobrun submit \(name) --not-before TIME"
        + " to start it later, or set \"kind\" to \"processing\" or \"refresh\" in its job.json")
  }

  /// Carries out `jobrun pending [--json]`.
  func pending(_ invocation: Invocation) throws(WireError) -> Int32 {
    let link = try link()
    let waiting = try jobs(all: false, on: link).filter { $0.state == .queued }
    guard !invocation.isSet(.json) else {
      for job in waiting { writeJSON(job) }
      data.flush()
      return ExitCode.success
    }
    guard case .status(let status) = try link.ask(.status) else {
      throw WireError(.internal, "the runner did not answer with its status")
    }
    if waiting.isEmpty { talk.write(line: "no jobs are waiting") }
    let colour = surroundings.wantsColour && data.isTerminal
    for line in PendingTable.lines(waiting, width: data.columns, at: .present) {
      data.buffer(line: line, colour: colour)
    }
    for line in status.budget.map({ BudgetLines.text($0, at: .present) }) ?? [] {
      data.buffer(line: line)
    }
    data.flush()
    return ExitCode.success
  }
}
