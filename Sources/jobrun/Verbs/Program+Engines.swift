import JobClient
import JobCore
import JobPage
import JobWire
import LinuxSystem

/// What can be done about engines.
enum EnginesAction: String, CaseIterable {
  case list, check
}

extension Program {
  /// Carries out `jobrun engines [list | check ENGINE]`.
  func engines(_ invocation: Invocation) throws(WireError) -> Int32 {
    let words = invocation.operands.map { $0.text }
    guard let action = EnginesAction(rawValue: words.first ?? "list") else {
      throw WireError(
        .usage,
        "\(words[0].quoted) is not something to do with engines"
          + NearestName.hint(for: words[0], among: EnginesAction.allCases.map { $0.rawValue }))
    }
    let link = try link()
    let engines = try surroundings.configuration(link.paths).engines
    switch action {
    case .list:
      guard words.count < 2 else {
        throw WireError(.usage, "engines list takes no argument, but got \(words[1].quoted)")
      }
      return try list(engines, invocation, on: link)
    case .check:
      guard words.count == 2 else {
        throw WireError(.usage, "engines check needs the name of an engine")
      }
      guard engines[words[1]] != nil else {
        throw WireError(.usage, EngineName.unknown(words[1], among: Array(engines.keys)))
      }
      return try check(words[1], invocation, on: link)
    }
  }

  private func list(
    _ engines: [String: EngineSettings], _ invocation: Invocation, on link: RunnerLink
  ) throws(WireError) -> Int32 {
    let jobs = link.connectIfRunning() ? try jobs(all: false, on: link) : []
    for engine in engines.values.sorted(by: { $0.name < $1.name }) {
      let ours = jobs.filter {
        $0.terms.engine == engine.name || $0.terms.pool == engine.name
      }
      let running = ours.count { $0.state != .queued }
      if invocation.isSet(.json) {
        writeJSON {
          $0.field("engine", engine.name)
          $0.field("kind", engine.kind.rawValue)
          $0.field("through", engine.through)
          $0.field("folder", engine.folder)
          $0.field("atMost", engine.kind == .pool ? nil : engine.atMost)
          $0.field("of", engine.members)
          $0.field("running", running)
          $0.field("waiting", ours.count - running)
        }
      } else {
        let place = engine.through.map { " through \($0)" } ?? ""
        let what =
          engine.kind == .pool
          ? "pool of \(engine.members.joined(separator: ", "))"
          : "\(engine.kind.rawValue)\(place), at most \(engine.atMost) at a time"
        data.buffer(
          line: "\(engine.name): \(what), \(running) running, \(ours.count - running) waiting")
      }
    }
    if engines.isEmpty, !invocation.isSet(.json) {
      talk.write(line: "no engine is configured; jobrun help engines says how")
    }
    data.flush()
    return ExitCode.success
  }

  /// Runs what does nothing, and says what became of it.
  private func check(
    _ engine: String, _ invocation: Invocation, on link: RunnerLink
  ) throws(WireError) -> Int32 {
    var request = SubmitRequest(
      key: FreshName.key(), identifier: "\(Submitter.commandPrefix).\(FreshName.suffix())",
      title: "Check of \(engine)", speaksPage: false)
    request.options.engine = engine
    let specification = LaunchSpecification(
      directory: Array("/".utf8), arguments: [Array("/bin/true".utf8)],
      environment: CurrentProcess.environment())
    try link.connect()
    let start = AwakeClock.now()
    let (submitted, _) = try link.submit(request, specification)
    let deadline = start + Self.timeout
    var job = submitted
    while job.state != .ended, AwakeClock.now() < deadline, !isSilent(engine, job) {
      // A subscription for a job of a second is not worth its lines.
      _ = try? Poll.wait([], until: AwakeClock.now() + 100_000_000)
      job = try self.job(answering: .show(.number(job.number)), on: link)
    }
    if job.state != .ended {
      // It is asked for here, and nobody waits for it.
      _ = try link.ask(.cancel(.one(.number(job.number)), now: true))
    }
    if invocation.isSet(.json) { writeJSON(job) }
    defer { data.flush() }
    guard job.state == .ended, job.outcome == .succeeded else {
      let why =
        job.state == .ended
        ? job.stopReason?.message ?? job.message ?? "the job failed"
        : job.pendingReason?.message ?? job.warning ?? "it does not answer"
      throw WireError(.unavailable, "\(engine): \(why)")
    }
    let took = (AwakeClock.now() - start) / 1_000_000
    if !invocation.isSet(.json) {
      data.buffer(
        line: "\(engine): a job ran on \(job.node ?? engine), \(took) ms after it was asked for")
    }
    return ExitCode.success
  }

  /// It cannot be reached: nobody needs to wait for more.
  private func isSilent(_ engine: String, _ job: JobStatus) -> Bool {
    [job.pendingReason?.message, job.warning].contains {
      $0.map { EngineName.isSilence($0, of: engine) } ?? false
    }
  }

  /// How long a job of an instant may take: a cluster that is full says so itself.
  private static let timeout: UInt64 = 30_000_000_000
}
