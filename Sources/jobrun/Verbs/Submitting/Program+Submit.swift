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
      flag: invocation.text(.jobs), directory: directory, paths: link.paths)
    let found = try resolve(invocation.operands[0], in: search)
    if asksForHelp(found.definition, invocation) {
      return explain(found.definition, isJSON: invocation.isSet(.json))
    }
    try Self.checkPush(found.definition)
    try found.definition.checkArguments(invocation.arguments.map { $0.text }, verb: "submit")
    var request = try Submitter.request(for: found, invocation)
    try takePrerequisites(invocation, on: link, into: &request)
    let folder = try self.directory(of: invocation)
    try request.takeOutput(invocation, in: folder)
    let specification = try specification(of: found.definition, invocation, in: folder)
    return try submit(request, specification, invocation, on: link)
  }

  /// The definition for a typed name, with a sentence for each one that was skipped on the way.
  func resolve(
    _ word: Argument, in search: BundleSearch
  ) throws(WireError) -> DefinitionSet.Resolution {
    var passedOver: [String] = []
    defer { for sentence in passedOver { talk.write(line: "jobrun: \(sentence)") } }
    return try search.resolve(word.text, suffix: FreshName.suffix(), passedOver: &passedOver)
  }

  /// The launch specification of a definition: its command, then the arguments after `--`.
  func specification(
    of definition: Definition, _ invocation: Invocation, in directory: [UInt8]
  ) throws(WireError) -> LaunchSpecification {
    try makeReady(definition, invocation)
    let executable = try CommandSearch.executable(
      of: definition, installation: try surroundings.installation(),
      environment: surroundings.environment)
    let fixed = definition.manifest.command.dropFirst().map { Array($0.utf8) }
    var specification = launch(
      [Array(executable.utf8)] + fixed + invocation.arguments.map { $0.bytes }, in: directory)
    try specification.takeEnvironment(invocation)
    // An executable below its sources does not lie beside its bundle.
    if !definition.manifest.build.isEmpty, surroundings.environment["JOBRUN_BUNDLE"] == nil {
      let bundle = "JOBRUN_BUNDLE=\(File.parent(of: definition.folder))"
      specification.environment.append(Array(bundle.utf8))
    }
    return specification
  }

  /// The command with this process's environment and umask.
  private func launch(_ arguments: [[UInt8]], in directory: [UInt8]) -> LaunchSpecification {
    if arguments.contains(where: { !AddressLogin.ranges(in: $0[...]).isEmpty }) {
      OwnArguments.wipeLogins()
    }
    var specification = LaunchSpecification(
      directory: directory, arguments: arguments, environment: CurrentProcess.environment())
    specification.creationMask = CurrentProcess.creationMaskOfOneThread()
    return specification
  }

  /// Carries out `jobrun run [flags] -- COMMAND ARG …`.
  func runCommand(_ typed: Invocation) throws(WireError) -> Int32 {
    let invocation = try scriptOptions(of: typed)
    // Keep the verb, to identify the process.
    if invocation.isSet(.hideCommand) { OwnArguments.wipe(keeping: 2) }
    if invocation.isSet(.interactive) { try checkKeys(invocation) }
    let link = try link()
    let directory = try directory(of: invocation)
    let size = Terminal.size(2).map {
      Observation.TerminalSize(
        columns: UInt16(clamping: $0.columns), rows: UInt16(clamping: max(1, $0.rows)))
    }
    var request = try Submitter.request(forCommand: invocation, terminal: size)
    try takePrerequisites(invocation, on: link, into: &request)
    try request.takeOutput(invocation, in: directory)
    let specification = try specification(ofCommand: invocation, in: directory)
    if invocation.text(.progress) == "make" {
      request.options.observation.recognition = try MakePlan(asking: specification.arguments)
        .recognition
    }
    return try submit(request, specification, invocation, on: link)
  }

  /// The launch specification of a plain command.
  func specification(
    ofCommand invocation: Invocation, in directory: [UInt8]
  ) throws(WireError) -> LaunchSpecification {
    let name = invocation.arguments[0].text
    // On another machine the program is searched for there.
    if try runsElsewhere(invocation) {
      var specification = launch(invocation.arguments.map { $0.bytes }, in: directory)
      try specification.takeEnvironment(invocation)
      return specification
    }
    let executable = try CommandSearch.executable(
      name, directory: String(decoding: directory, as: UTF8.self),
      environment: surroundings.environment)
    var specification = launch(
      [Array(executable.utf8)] + invocation.arguments.dropFirst().map { $0.bytes }, in: directory)
    try specification.takeEnvironment(invocation)
    return specification
  }

  /// Whether programs are those of another machine, a container, or an environment that is made first.
  private func runsElsewhere(_ invocation: Invocation) throws(WireError) -> Bool {
    if invocation.text(.before) != nil { return true }
    guard let name = invocation.text(.on), name != EngineName.here else { return false }
    let engine = try surroundings.configuration(try surroundings.paths()).engines[name]
    return engine?.through != nil || engine?.wrap.isEmpty == false || engine?.before != nil
  }

  /// The job's folder: `--cwd`, otherwise the current one.
  func directory(of invocation: Invocation) throws(WireError) -> [UInt8] {
    let here = try surroundings.directory()
    guard let text = invocation.text(.cwd) else { return here }
    let path = text.hasPrefix("/") ? Array(text.utf8) : here + [UInt8(ascii: "/")] + text.utf8
    guard File.isDirectory(String(decoding: path, as: UTF8.self)) else {
      throw WireError(.notFound, "\(Flag.cwd.spelling) is \(text.quoted), which is not a folder")
    }
    return path
  }

  /// Submits the job, reports it, and watches it unless detached.
  private func submit(
    _ request: SubmitRequest, _ specification: LaunchSpecification, _ invocation: Invocation,
    on link: RunnerLink
  ) throws(WireError) -> Int32 {
    let stays = !invocation.isSet(.detach)
    try link.connect()
    var request = request
    let reading = try submittedInput(invocation, for: request, paths: link.paths)
    request.details.input = reading.input
    // From here on Ctrl-C is about the job and not about this process.
    let input = stays ? try terminalInput(invocation) : nil
    let (job, kept) = try handOver(request, specification, reading, on: link)
    guard let input, !kept else {
      try announce(job, invocation, watchedBy: nil, on: link)
      return ExitCode.success
    }
    return try watch(job, invocation, link: link, input: input) { () throws(WireError) in
      try announce(job, invocation, watchedBy: input, on: link)
    }
  }

  /// Submits the job, and closes the input that now belongs to it.
  private func handOver(
    _ request: SubmitRequest, _ specification: LaunchSpecification, _ reading: SubmittedInput,
    on link: RunnerLink
  ) throws(WireError) -> (job: JobStatus, kept: Bool) {
    defer { withExtendedLifetime(reading) {} }
    do throws(WireError) {
      let answer = try link.submit(request, specification, input: reading.descriptor)
      if answer.kept, let copy = reading.copy { try? File.remove(copy) }
      // Otherwise the writer of a pipe would not notice when the job stops reading.
      if reading.descriptor == 0 { CurrentProcess.closeStandardInput() }
      return answer
    } catch {
      // If the job was accepted after all, it reads the copy; otherwise the runner removes it after an hour.
      if let copy = reading.copy, !link.isUncertain { try? File.remove(copy) }
      throw error
    }
  }
}

extension LaunchSpecification {
  /// Applies `--env`.
  fileprivate mutating func takeEnvironment(_ invocation: Invocation) throws(WireError) {
    let entries = try invocation.variables()
    if !entries.isEmpty { replace(with: entries) }
  }
}

extension Invocation {
  /// The values of `--env`.
  func variables() throws(WireError) -> [String] {
    let entries = words(.env)
    for entry in entries {
      guard let end = entry.firstIndex(of: "="), end != entry.startIndex else {
        throw WireError(
          .usage, "\(Flag.env.spelling) is \(entry.quoted); it must be NAME=VALUE, as in LANG=C")
      }
    }
    return entries
  }
}
