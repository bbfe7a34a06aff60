import JobCore
import JobRuntime
import JobWire
import LinuxSystem

// Reports of helpers.
extension EngineExecutor {
  /// Handles a report; an engine can only report on its own attempts.
  func receive(_ report: EngineReport, from engine: String) -> EngineLink.Reception {
    guard let name = report.attempt else {
      switch report {
      case .ready:
        introduce(engine)
        if runtime.scheduler.needs(engine) { ask(engine) }
      case .machine(let report): learn(report, of: engine)
      case .note(let text): notes.add("\(engine): \(text)")
      default: break
      }
      return .taken
    }
    let isGiven = runtime.scheduler.hears(engine, of: name.job)
    if let remote = attempts[name.job], remote.name == name, remote.engine == engine, remote.isSent,
      isGiven == true
    {
      receive(report, of: remote)
    } else if left.contains(name, of: engine) {
      settle(report, left: name, of: engine)
    } else if isGiven == false, !runtime.scheduler.concerns(engine, name.job) {
      return .lie("it reports job \(name.job), which it was not given")
    }
    // Reports on other attempts came too late.
    return .taken
  }

  private func receive(_ report: EngineReport, of remote: RemoteAttempt) {
    let name = remote.name
    switch report {
    case .accepted(_, let id):
      remote.isAccepted = !remote.isAdopted
      runtime.jobs[name.job]?.engineJob = id
    case .pending(_, let code, let message):
      runtime.inbox.append(
        .pending(name.job, attempt: name.attempt, PendingReason(code, message)))
    case .started(_, let node):
      remote.node = node
      runtime.jobs[name.job]?.node = node
      begin(remote)
    case .page(_, let look): apply(look, remote)
    case .log(_, let start, let bytes): remote.log?.append(bytes, from: start)
    case .ended(_, let record, let cause, let message):
      // The missing part of its log is kept there until the attempt is forgotten: request the end again, with
      // the log.
      if remote.log?.isBehind == true, !remote.hasAskedForRest {
        remote.hasAskedForRest = true
        return askForLog(of: remote)
      }
      if fetchesFiles(remote, record, message) { return }
      conclude(remote, record, cause, message)
    case .lost(_, let cause, let message):
      finish(remote, RunEnd(status: .engine(end(cause, remote, message))))
    case .revoked: revoked(remote)
    case .refused(_, let message):
      finish(remote, RunEnd(status: .engine(.refused(message))))
    case .contact(_, let silent):
      let node = remote.node ?? remote.engine
      warn(
        name.job,
        silent.map { "nothing was heard from \(node) for \(Interval.milliseconds($0).words)" })
    case .ready, .adopted, .machine, .pong, .note: break
    }
  }

  /// It never began and never will.
  private func revoked(_ remote: RemoteAttempt) {
    if remote.isLate {
      let seconds = Self.startTimeout.words
      let why =
        "\(remote.engine) did not start it within \(seconds); submit with --strategy queue to wait"
      return finish(remote, RunEnd(status: .engine(.late(why))))
    }
    // Whose helper or runner was killed is not to blame.
    guard remote.isAccepted, links[remote.engine]?.settings.kind == .host else {
      return finish(remote, RunEnd(status: .revoked))
    }
    let count = (runtime.jobs[remote.name.job]?.failedStarts ?? 0) + 1
    runtime.jobs[remote.name.job]?.failedStarts = count
    guard count <= Limits.failedStarts else {
      return finish(
        remote,
        RunEnd(status: .cannotStart("its supervisor on \(remote.engine) ends before it begins")))
    }
    finish(remote, RunEnd(status: .revoked))
  }

  func finish(_ remote: RemoteAttempt, _ end: RunEnd) {
    var end = end
    end.sample = runtime.jobs[remote.name.job]?.sample ?? PageSample()
    if case .engine(.outOfMemory) = end.status, let job = runtime.jobs[remote.name.job] {
      runtime.jobs[remote.name.job]?.details.growMemory(
        from: job.submission.options.requirements.memoryBytes)
    }
    attempts[remote.name.job] = nil
    remote.transfer?.cancel()
    runtime.inbox.append(.finished(remote.name.job, attempt: remote.name.attempt, end))
  }
}

extension EngineReport {
  /// The attempt that it is about.
  fileprivate var attempt: EngineAttempt? {
    switch self {
    case .accepted(let name, _), .pending(let name, _, _), .started(let name, _),
      .page(let name, _), .log(let name, _, _), .ended(let name, _, _, _), .lost(let name, _, _),
      .revoked(let name), .refused(let name, _), .contact(let name, _):
      name
    case .ready, .adopted, .machine, .pong, .note: nil
    }
  }
}
