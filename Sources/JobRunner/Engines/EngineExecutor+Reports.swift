import JobCore
import JobPage
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

// What helpers tell.
extension EngineExecutor {
  func receive(_ report: EngineReport, from engine: String) {
    switch report {
    case .ready: introduce(engine)
    case .accepted(let name, let id):
      guard let remote = attempt(name) else { return }
      remote.isAccepted = !remote.isAdopted
      runtime.jobs[name.job]?.engineJob = id
    case .pending(let name, let code, let message):
      guard attempt(name) != nil else { return }
      runtime.inbox.append(
        .pending(name.job, attempt: name.attempt, PendingReason(code, message)))
    case .started(let name, let node):
      guard let remote = attempt(name) else { return }
      remote.node = node
      runtime.jobs[name.job]?.node = node
      begin(remote)
    case .page(let name, let look):
      if let remote = attempt(name) { apply(look, remote) }
    case .log(let name, let start, let bytes):
      if let remote = attempt(name) { remote.log?.append(bytes, from: start) }
    case .ended(let name, let record, let cause):
      if let remote = attempt(name) {
        // What is missing of its log is there until it is forgotten: it is told once more, with that.
        if remote.log?.isBehind == true, !remote.hasAskedForRest {
          remote.hasAskedForRest = true
          return askForLog(of: remote)
        }
        conclude(remote, RunRecord(parsing: Array(record.utf8)), cause)
      }
    case .lost(let name, let cause, let message):
      if let remote = attempt(name) {
        finish(remote, RunEnd(status: .engine(end(cause, remote, message))))
      }
    case .revoked(let name):
      if let remote = attempt(name) { revoked(remote) }
    case .refused(let name, let message):
      if let remote = attempt(name) { finish(remote, RunEnd(status: .engine(.refused(message)))) }
    case .contact(let name, let silent):
      guard let remote = attempt(name) else { return }
      warn(
        remote.name.job,
        silent.map {
          "nothing was heard from \(remote.node ?? engine) for \(Span.milliseconds($0).words)"
        })
    case .adopted, .same, .pong: break
    case .note(let text): notes.add("\(engine): \(text)")
    }
  }

  /// The attempt that is live here; what is told of others came too late.
  private func attempt(_ name: EngineAttempt) -> RemoteAttempt? {
    attempts[name.job].flatMap { $0.name == name ? $0 : nil }
  }

  /// It never began and never will.
  private func revoked(_ remote: RemoteAttempt) {
    if remote.isLate {
      let seconds = Self.startPatience.words
      let why =
        "\(remote.engine) did not begin it within \(seconds); submit with --strategy queue to wait"
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
    attempts[remote.name.job] = nil
    runtime.inbox.append(.finished(remote.name.job, attempt: remote.name.attempt, end))
  }
}
