import JobCore
import JobRuntime
import JobWire
import LinuxSystem

extension Runner {
  /// Answers with the command that connects a client's terminal with that of a job.
  ///
  /// Keys do not pass through the runner, so the connection survives it.
  func showTerminal(
    of reference: JobReference, _ origin: RequestOrigin, _ client: Client
  ) throws(WireError) {
    let number = try lookup.live(reference)
    guard let job = liveJobs[number], job.details.input == .terminal else {
      throw WireError(
        .usage, "job \(number) does not read a terminal; jobrun run -i starts a job that does")
    }
    guard let command = engines.terminal(of: number) ?? localTerminal(of: job) else {
      throw WireError(.unavailable, "job \(number) has no terminal yet; it is waiting")
    }
    send(.ok(id: origin.id, .command(command)), to: client)
  }

  private func localTerminal(of job: LiveJob) -> [String]? {
    guard local.runs(job.number) else { return nil }
    return [
      local.context.tools.shim, "terminal", home.terminal(job.number, attempt: job.attempt),
      home.paths.log(job.number),
    ]
  }
}

extension EngineExecutor {
  /// The command for a job that runs elsewhere; nil if none does under this number.
  func terminal(of number: JobNumber) -> [String]? {
    guard let remote = attempts[number], remote.hasStarted,
      let settings = try? settings(of: remote.engine), let store = knownName
    else { return nil }
    let folder = folder(of: settings)
    let place = "\(folder)\(folder.isEmpty ? "" : "/")\(store)/\(settings.name)"
    return EngineCommand(settings: settings, tools: context.tools)
      .terminal(of: remote.name, in: place)
  }
}
