import JobClient
import JobCore
import JobWire

extension Program {
  /// Carries out `jobrun pause ID… | --all [--keep-slot]`.
  func pause(_ invocation: Invocation) throws(WireError) -> Int32 {
    let keepsSlot = invocation.isSet(.keepSlot)
    guard invocation.isSet(.allRunning) else {
      return try change(invocation) { .pause(.number($0), keepSlot: keepsSlot) }
    }
    return try changeAll(
      invocation, .pauseAll(keepSlot: keepsSlot), nothing: "no jobs are running that can be paused")
  }

  /// Carries out `jobrun resume ID… | --all`.
  func resume(_ invocation: Invocation) throws(WireError) -> Int32 {
    guard invocation.isSet(.allPaused) else {
      return try change(invocation) { .resume(.number($0)) }
    }
    return try changeAll(invocation, .resumeAll, nothing: "no jobs are paused")
  }

  /// A mistake in one of several jobs does not keep the others from being changed.
  private func change(
    _ invocation: Invocation, _ request: (JobNumber) -> Request
  ) throws(WireError) -> Int32 {
    let link = try link()
    var code = ExitCode.success
    for operand in invocation.operands {
      do throws(WireError) {
        let job = try job(operand, on: link)
        guard case .job(let after, let message) = try link.ask(request(job.number)) else {
          throw WireError(.internal, "the runner did not answer with a job")
        }
        report(after, message ?? sentence(after), invocation)
      } catch {
        complain(error, isJSON: invocation.isSet(.json))
        if code == ExitCode.success { code = error.code.exitCode }
      }
    }
    data.flush()
    return code
  }

  private func changeAll(
    _ invocation: Invocation, _ request: Request, nothing: String
  ) throws(WireError) -> Int32 {
    var count = 0
    _ = try link().ask(request) { job in
      count += 1
      report(job, sentence(job), invocation)
    }
    if count == 0 { talk.write(line: nothing) }
    data.flush()
    return ExitCode.success
  }

  private func sentence(_ job: JobStatus) -> String {
    switch (job.state, job.pendingReason) {
    case (.paused, let reason?):
      "job \(job.number) goes on as soon as there is a slot: \(reason.message)"
    case (.paused, nil): "job \(job.number) is paused; jobrun resume \(job.number) lets it go on"
    case (.launching, _): "job \(job.number) is being started, and paused then"
    case (.stalled, _): "job \(job.number) goes on, and still asks whether it is to"
    default: "job \(job.number) goes on"
    }
  }
}
