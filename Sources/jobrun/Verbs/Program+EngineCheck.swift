import JobClient
import JobCore
import JobPage
import JobWire
import LinuxSystem

// `jobrun engines check NAME`: a job that does nothing, and how far it gets.
extension Program {
  func check(
    _ engine: EngineSettings, _ invocation: Invocation, on link: RunnerLink
  ) throws(WireError) -> Int32 {
    var request = SubmitRequest(
      key: FreshName.key(), identifier: "\(Submitter.commandPrefix).\(FreshName.suffix())",
      title: "Check of \(engine.name)", speaksPage: false)
    request.options.engine = engine.name
    let specification = LaunchSpecification(
      directory: Array("/".utf8), arguments: [Array("/bin/true".utf8)],
      environment: CurrentProcess.environment())
    try link.connect()
    var check = EngineCheck(engine)
    let (submitted, _) = try link.submit(request, specification)
    var job = submitted
    while job.state != .ended, !check.isOver(job) {
      check.note(job)
      // A subscription for a job of a second is not worth its lines.
      _ = try? Poll.wait([], until: AwakeClock.now() + 50_000_000)
      job = try self.job(answering: .show(.number(job.number)), on: link)
    }
    check.note(job)
    if job.state != .ended {
      // It was for this check alone, and nobody waits for it.
      _ = try link.ask(.cancel(.one(.number(job.number)), now: true))
    }
    forget(job.number, on: link)
    if invocation.isSet(.json) { writeJSON(job) }
    defer { data.flush() }
    if !invocation.isSet(.json) { for line in check.lines(job) { data.buffer(line: line) } }
    guard job.outcome == .succeeded else {
      throw WireError(.unavailable, "\(engine.name): \(EngineCheck.problem(job))")
    }
    return ExitCode.success
  }

  /// A job that has just been cancelled takes a moment to end.
  private func forget(_ number: JobNumber, on link: RunnerLink) {
    for _ in 0..<20 {
      if (try? link.ask(.forget(.number(number)))) != nil { return }
      _ = try? Poll.wait([], until: AwakeClock.now() + 100_000_000)
    }
  }
}
