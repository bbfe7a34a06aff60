import JobCore
import JobPage
import JobWire
import LinuxSystem

extension Program {
  /// Carries out `jobrun submit JOB [flags] [-- ARG …]`.
  func submit(_ invocation: Invocation) throws(WireError) -> Int32 {
    let link = try link()
    let directory = try surroundings.directory()
    let search = try search(invocation, directory: directory, places: link.places)
    let found = try search.resolve(
      invocation.operands[0].text, suffix: Submitter.randomSuffix())
    let request = try Submitter.request(for: found, invocation)
    let executable = try CommandSearch.executable(
      of: found.definition, installation: try surroundings.installation(),
      environment: surroundings.environment)
    let fixed = found.definition.manifest.command.dropFirst().map { Array($0.utf8) }
    return try submit(
      request,
      LaunchSpecification(
        directory: directory,
        arguments: [Array(executable.utf8)] + fixed + invocation.arguments.map(\.bytes),
        environment: CurrentProcess.environment()),
      invocation, on: link)
  }

  /// Carries out `jobrun run [flags] -- COMMAND ARG …`.
  func runCommand(_ invocation: Invocation) throws(WireError) -> Int32 {
    let link = try link()
    let directory = try surroundings.directory()
    let request = try Submitter.request(forCommand: invocation)
    let executable = try CommandSearch.executable(
      invocation.arguments[0].text, directory: String(decoding: directory, as: UTF8.self),
      environment: surroundings.environment)
    return try submit(
      request,
      LaunchSpecification(
        directory: directory,
        arguments: [Array(executable.utf8)] + invocation.arguments.dropFirst().map(\.bytes),
        environment: CurrentProcess.environment()),
      invocation, on: link)
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
    let (job, kept) = try handOver(request, specification, on: link)
    let isJSON = invocation.isSet(.json)
    if isJSON { writeJSON(job) } else { data.buffer(line: "\(job.number) \(job.identifier)") }
    data.flush()
    guard let input, !kept else { return ExitCode.success }
    return try watch(job, invocation, link: link, input: input)
  }

  /// The same key with every attempt: a lost answer never makes two jobs.
  private func handOver(
    _ request: SubmitRequest, _ specification: LaunchSpecification, on link: RunnerLink
  ) throws(WireError) -> (JobObject, kept: Bool) {
    let bytes = specification.encoded()
    guard bytes.count <= Limits.launchSpecificationBytes else {
      throw WireError(
        .usage,
        "arguments and environment have \(QuantityText.bytes(UInt64(bytes.count)));"
          + " \(QuantityText.bytes(UInt64(Limits.launchSpecificationBytes))) is the most they may have"
      )
    }
    let memory = try WireError.from(.internal) { () throws(SystemError) in
      MemoryContent(try MemoryFile.make(bytes))
    }
    let response = try link.ask(.submit(request), passing: memory.number)
    guard case .submitted(let job, let kept, _) = response else {
      throw WireError(.internal, "the runner answered something else than a job")
    }
    return (job, kept)
  }

  /// Where definitions are looked for.
  func search(
    _ invocation: Invocation, directory: [UInt8], places: Places
  ) throws(WireError) -> BundleSearch {
    let registered = (try? File.readAll(places.registered, limit: Limits.manifestBytes)) ?? []
    return BundleSearch(
      flag: invocation.text(.jobs), environment: surroundings.environment,
      directory: String(decoding: directory, as: UTF8.self),
      registered: String(decoding: registered, as: UTF8.self),
      configured: try surroundings.configuration(places).bundles,
      installation: try surroundings.installation())
  }
}

/// Keeps a memory file open while it is passed, perhaps more than once.
private final class MemoryContent {
  private let descriptor: FileDescriptor

  init(_ descriptor: consuming FileDescriptor) {
    self.descriptor = descriptor
  }

  var number: Int32 { descriptor.number }
}
