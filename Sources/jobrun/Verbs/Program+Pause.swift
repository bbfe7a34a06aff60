import JobClient
import JobCore
import JobWire

extension Program {
  /// Carries out `jobrun pause ID… | --all [--for DURATION] [--keep-slot]`.
  func pause(_ invocation: Invocation) throws(WireError) -> Int32 {
    let (keepsSlot, length) = (invocation.isSet(.keepSlot), invocation.duration(.pauseLength))
    guard length != .zero else {
      throw WireError(
        .usage, "--for needs some time, such as 10m; jobrun resume ends a pause at once")
    }
    return try change(
      invocation, all: .allRunning, "running that can be paused",
      request: { .pause($0, keepSlot: keepsSlot, length: length) })
  }

  /// Carries out `jobrun resume ID… | --all`.
  func resume(_ invocation: Invocation) throws(WireError) -> Int32 {
    try change(invocation, all: .allPaused, "paused", request: { .resume($0) })
  }

  /// Asks for a change of the jobs that are meant; several are changed in one step.
  private func change(
    _ invocation: Invocation, all: Flag, _ predicate: String, request: (JobTarget) -> Request
  ) throws(WireError) -> Int32 {
    let link = try link()
    guard !invocation.isSet(all) else {
      if try changeAll(invocation, request(.all), on: link) == 0 {
        talk.write(line: "no jobs are \(predicate)")
      }
      return ExitCode.success
    }
    return try forEachOperand(invocation) { operand throws(WireError) in
      switch operand {
      case .one(let word):
        let job = try job(word, on: link)
        guard case .job(let after, let message) = try link.ask(request(.one(.number(job.number))))
        else {
          throw WireError(.internal, "the runner did not answer with a job")
        }
        report(after, message ?? sentence(after), invocation)
        tellWarning(of: after, invocation)
        return ExitCode.success
      case .several(.group(let group)):
        guard !invocation.isSet(.pauseLength) else {
          throw WireError(
            .usage,
            "group \(group) stays paused until jobrun resume group:\(group); --for is for jobs:"
              + " jobrun pause ID --for 10m")
        }
        // Else the next of them would start in the slots that are given away.
        let request = request(.some(.group(group)))
        let pauses = if case .pause = request { true } else { false }
        _ = try link.ask(.pauseGroup(group, pauses))
        if try changeAll(invocation, request, on: link) == 0 {
          talk.write(
            line: pauses
              ? "nothing of group \(group) is running; nothing of it starts before jobrun resume group:\(group)"
              : "jobs of group \(group) may start again")
        }
        return ExitCode.success
      case .several(let selection):
        guard try changeAll(invocation, request(.some(selection)), on: link) > 0 else {
          throw try nothing(selection, "is \(predicate)", on: link)
        }
        return ExitCode.success
      }
    }
  }

  /// How many were changed.
  private func changeAll(
    _ invocation: Invocation, _ request: Request, on link: RunnerLink
  ) throws(WireError) -> Int {
    var count = 0
    _ = try link.ask(request) { job in
      count += 1
      report(job, sentence(job), invocation)
      tellWarning(of: job, invocation)
    }
    data.flush()
    return count
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
    case (.paused, nil):
      "paused job \(job.number); "
        + (job.pauseLeft(at: .present).map { "it \(PauseText.resumes(in: $0)); " } ?? "")
        + "jobrun resume \(job.number) resumes it" + (job.paused?.until == nil ? "" : " now")
    case (.launching, _): "job \(job.number) is starting, and is paused then"
    case (.stalled, _): "resumed job \(job.number), which still asks whether to continue"
    default: "resumed job \(job.number)"
    }
  }
}
