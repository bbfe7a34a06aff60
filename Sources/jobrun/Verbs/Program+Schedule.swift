import JobClient
import JobCore
import JobWire
import LinuxSystem

extension Program {
  /// Carries out `jobrun schedule JOB [--earliest TIME] [--require …] [-- ARG …]`.
  ///
  /// It never watches: nobody sits and waits for tonight.
  func schedule(_ invocation: Invocation) throws(WireError) -> Int32 {
    let link = try link()
    let directory = try surroundings.directory()
    let found = try surroundings.search(
      flag: invocation.text(.jobs), directory: directory, places: link.places
    ).resolve(invocation.operands[0].text, suffix: FreshName.suffix())
    try Self.checkKind(of: found.definition)
    let request = try Submitter.request(for: found, invocation)
    let specification = try specification(of: found.definition, invocation, in: directory)
    let (job, _) = try link.submit(request, specification)
    if invocation.isSet(.json) {
      writeJSON(job)
    } else {
      data.buffer(line: "\(job.number) \(job.identifier)")
    }
    data.flush()
    if let sentence = PendingTable.sentence(job, at: .present), !invocation.isSet(.json) {
      talk.write(line: "job \(job.number): \(SafeText.shown(sentence))")
    }
    return ExitCode.success
  }

  /// A job that a person starts and watches is not the runner's to start.
  private static func checkKind(of definition: Definition) throws(WireError) {
    guard !definition.manifest.kind.isScheduled else { return }
    let name = definition.name
    throw WireError(
      .usage,
      "\(name) is a continued job, which a person starts: jobrun submit \(name) --not-before TIME"
        + " starts it later; what is to be scheduled says \"kind\": \"processing\" or \"refresh\" in"
        + " its job.json")
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
    guard !waiting.isEmpty else {
      talk.write(line: "nothing waits")
      return ExitCode.success
    }
    let colour = surroundings.wantsColour && data.isTerminal
    for line in PendingTable.lines(waiting, width: data.columns, at: .present) {
      data.buffer(line: line.rendered(colour: colour))
    }
    data.flush()
    return ExitCode.success
  }
}
