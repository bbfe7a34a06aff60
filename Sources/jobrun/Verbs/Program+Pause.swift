import JobClient
import JobCore
import JobWire

extension Program {
  /// Carries out `jobrun pause ID… | --all [--keep-slot]`.
  func pause(_ invocation: Invocation) throws(WireError) -> Int32 {
    let keepsSlot = invocation.isSet(.keepSlot)
    let nothing = "no jobs are running that can be paused"
    guard invocation.isSet(.allRunning) else {
      return try change(invocation, nothing) { target in
        switch target {
        case .job(let number): .pause(.number(number), keepSlot: keepsSlot)
        case .group(let group): .pauseAll(keepSlot: keepsSlot, .group(group))
        }
      }
    }
    return try changeAll(invocation, .pauseAll(keepSlot: keepsSlot), nothing)
  }

  /// Carries out `jobrun resume ID… | --all`.
  func resume(_ invocation: Invocation) throws(WireError) -> Int32 {
    let nothing = "no jobs are paused"
    guard invocation.isSet(.allPaused) else {
      return try change(invocation, nothing) { target in
        switch target {
        case .job(let number): .resume(.number(number))
        case .group(let group): .resumeAll(.group(group))
        }
      }
    }
    return try changeAll(invocation, .resumeAll(), nothing)
  }

  /// What an operand names.
  private enum Target {
    case job(JobNumber)
    case group(GroupName)
  }

  /// A mistake in one of several jobs does not keep the others from being changed.
  private func change(
    _ invocation: Invocation, _ nothing: String, _ request: (Target) -> Request
  ) throws(WireError) -> Int32 {
    let link = try link()
    var code = ExitCode.success
    for operand in invocation.operands {
      do throws(WireError) {
        if let group = try operand.group() {
          _ = try changeAll(invocation, request(.group(group)), "\(nothing) in group \(group)")
          continue
        }
        let job = try job(operand, on: link)
        guard case .job(let after, let message) = try link.ask(request(.job(job.number))) else {
          throw WireError(.internal, "the runner did not answer with a job")
        }
        report(after, message ?? sentence(after), invocation)
        tellWarning(of: after, invocation)
      } catch {
        complain(error, isJSON: invocation.isSet(.json))
        if code == ExitCode.success { code = error.code.exitCode }
      }
    }
    data.flush()
    return code
  }

  private func changeAll(
    _ invocation: Invocation, _ request: Request, _ nothing: String
  ) throws(WireError) -> Int32 {
    var count = 0
    _ = try link().ask(request) { job in
      count += 1
      report(job, sentence(job), invocation)
      tellWarning(of: job, invocation)
    }
    if count == 0 { talk.write(line: nothing) }
    data.flush()
    return ExitCode.success
  }

  /// A pause may not have reached all of it.
  private func tellWarning(of job: JobStatus, _ invocation: Invocation) {
    guard job.state == .paused, let warning = job.warning, !invocation.isSet(.json) else { return }
    talk.write(line: SafeText.shown("job \(job.number): \(warning)"))
  }

  private func sentence(_ job: JobStatus) -> String {
    switch (job.state, job.pendingReason) {
    case (.paused, let reason?):
      "job \(job.number) resumes when a slot is free: \(reason.message)"
    case (.paused, nil): "paused job \(job.number); jobrun resume \(job.number) resumes it"
    case (.launching, _): "job \(job.number) is starting, and is paused then"
    case (.stalled, _): "resumed job \(job.number), which still asks whether to continue"
    default: "resumed job \(job.number)"
    }
  }
}
