import JobClient
import JobCore
import JobPage
import JobWire
import LinuxSystem

extension Program {
  /// Carries out `jobrun submit JOB [flags] [-- ARG …]`.
  func submit(_ invocation: Invocation) throws(WireError) -> Int32 {
    let link = try link()
    let directory = try surroundings.directory()
    let search = try surroundings.search(
      flag: invocation.text(.jobs), directory: directory, places: link.places)
    let found = try search.resolve(
      invocation.operands[0].text, suffix: FreshName.suffix())
    var request = try Submitter.request(for: found, invocation)
    request.after = try prerequisites(invocation, on: link)
    let specification = try specification(of: found.definition, invocation, in: directory)
    return try submit(request, specification, invocation, on: link)
  }

  /// What a definition executes: its command, then the arguments behind `--`.
  func specification(
    of definition: Definition, _ invocation: Invocation, in directory: [UInt8]
  ) throws(WireError) -> LaunchSpecification {
    let executable = try CommandSearch.executable(
      of: definition, installation: try surroundings.installation(),
      environment: surroundings.environment)
    let fixed = definition.manifest.command.dropFirst().map { Array($0.utf8) }
    return launch(
      [Array(executable.utf8)] + fixed + invocation.arguments.map(\.bytes), in: directory)
  }

  /// The command with what this process would give a child: its environment and its umask.
  private func launch(_ arguments: [[UInt8]], in directory: [UInt8]) -> LaunchSpecification {
    var specification = LaunchSpecification(
      directory: directory, arguments: arguments, environment: CurrentProcess.environment())
    specification.creationMask = CurrentProcess.creationMaskOfOneThread()
    return specification
  }

  /// Carries out `jobrun run [flags] -- COMMAND ARG …`.
  func runCommand(_ invocation: Invocation) throws(WireError) -> Int32 {
    let link = try link()
    let directory = try surroundings.directory()
    let size = Terminal.size(2).map {
      Observation.TerminalSize(
        columns: UInt16(clamping: $0.columns), rows: UInt16(clamping: max(1, $0.rows)))
    }
    var request = try Submitter.request(forCommand: invocation, terminal: size)
    request.after = try prerequisites(invocation, on: link)
    let executable = try CommandSearch.executable(
      invocation.arguments[0].text, directory: String(decoding: directory, as: UTF8.self),
      environment: surroundings.environment)
    return try submit(
      request,
      launch(
        [Array(executable.utf8)] + invocation.arguments.dropFirst().map(\.bytes), in: directory),
      invocation, on: link)
  }

  /// The jobs that `--after` names; the runner is asked only when there are any.
  private func prerequisites(
    _ invocation: Invocation, on link: RunnerLink
  ) throws(WireError) -> [JobNumber] {
    var numbers: Set<JobNumber> = []
    for name in invocation.words(.after) {
      do throws(WireError) {
        numbers.insert(try job(Argument(name), on: link).number)
      } catch {
        throw WireError(error.code, "\(Flag.after.spelling): \(error.message)")
      }
    }
    guard numbers.count <= Limits.prerequisites else {
      throw WireError(
        .usage,
        "\(Flag.after.spelling) names \(numbers.count) jobs; \(Limits.prerequisites) are possible")
    }
    return numbers.sorted()
  }

  /// Hands the job over, says which it is, and watches it unless told to return.
  private func submit(
    _ request: SubmitRequest, _ specification: LaunchSpecification, _ invocation: Invocation,
    on link: RunnerLink
  ) throws(WireError) -> Int32 {
    let stays = !invocation.isSet(.detach)
    try link.connect()
    // From here on Ctrl-C is about the job and not about this process.
    let input = stays ? try terminalInput(invocation) : nil
    let (job, kept) = try link.submit(request, specification)
    let isJSON = invocation.isSet(.json)
    if isJSON { writeJSON(job) } else { data.buffer(line: "\(job.number) \(job.identifier)") }
    data.flush()
    guard let input, !kept else { return ExitCode.success }
    return try watch(job, invocation, link: link, input: input)
  }
}
