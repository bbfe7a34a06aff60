import JobClient
import JobCore
import JobWire
import LinuxSystem

extension Program {
  /// Carries out `jobrun push BUNDLE [--data JSON]`.
  func push(_ invocation: Invocation) throws(WireError) -> Int32 {
    let word = invocation.operands[0].text
    guard let bundle = JobIdentifier(word) else {
      throw WireError(.usage, JobIdentifier.problem(in: word) ?? word.quoted)
    }
    let data = try pushData(invocation)
    try PushContent.check(data)
    let link = try link()
    let search = try surroundings.search(
      flag: invocation.text(.jobs), directory: try surroundings.directory(), paths: link.paths)
    let definitions = try Push.definitions(of: bundle, among: search.readAll().bundles)
    for definition in definitions {
      let (job, kept) = try Push(definition, data: data).send(
        on: link, installation: try surroundings.installation(),
        environment: surroundings.environment)
      tell(job, isCoalesced: kept, invocation)
    }
    self.data.flush()
    return ExitCode.success
  }

  /// A job that pushes start must not be started otherwise: it would run without a push.
  static func checkPush(_ definition: Definition) throws(WireError) {
    guard definition.manifest.options.kind == .push else { return }
    throw WireError(
      .usage,
      "\(definition.name) is a job that pushes start: use jobrun push"
        + " \(definition.bundle.identifier)")
  }

  private func tell(_ job: JobStatus, isCoalesced: Bool, _ invocation: Invocation) {
    if invocation.isSet(.json) { return writeJSON(job) }
    data.buffer(line: "\(job.number) \(job.identifier)")
    if isCoalesced {
      talk.write(
        line: "job \(job.number) is already waiting; it gets this data in place of the earlier")
    }
  }

  private func pushData(_ invocation: Invocation) throws(WireError) -> [UInt8] {
    guard let text = invocation.text(.data) else { return Array("{}".utf8) }
    guard text == "-" else { return Array(text.utf8) }
    do throws(SystemError) {
      return try BorrowedDescriptor(0).readToEnd(limit: Limits.launchSpecificationBytes)
    } catch {
      throw WireError(
        .usage,
        error.number == SystemError.tooLarge
          ? "the data of the push is far more than \(Limits.pushBytes) bytes, which is the limit"
          : "the data of the push cannot be read: \(error.reason)")
    }
  }
}
