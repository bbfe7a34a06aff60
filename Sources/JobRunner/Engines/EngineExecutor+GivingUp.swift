import JobCore
import JobRuntime
import JobWire
import LinuxSystem

// Attempts that were killed and are unreachable: the runner gives them up, and their engine ends them on the
// next contact.
extension EngineExecutor {
  /// How long a connected engine has to report the end of a killed attempt.
  private static var killTimeout: Interval { .minutes(2) }

  /// Why a killed attempt will not report its end; nil = wait for it.
  func whyUnreached(_ remote: RemoteAttempt) -> String? {
    let engine = remote.engine
    if context.settings.current.engines[engine] == nil, links[engine]?.isReady != true {
      return "config.json has no \(engine) any more"
    }
    if let trouble = links[engine]?.trouble { return "\(engine) does not answer: \(trouble.why)" }
    guard let killedAt = remote.killedAt, killedAt + Self.killTimeout <= .now() else { return nil }
    return "\(engine) was told to kill it \(Self.killTimeout.words) ago"
  }

  func giveUp(_ remote: RemoteAttempt, _ why: String) {
    if context.settings.current.engines[remote.engine] != nil {
      do throws(SystemError) {
        try left.insert(remote.name, of: remote.engine, hasStarted: remote.hasStarted)
      } catch {
        notes.add(
          "job \(remote.name.job) may continue on \(remote.engine), and the next runner will not know:"
            + " \(error)")
      }
    }
    finish(remote, RunEnd(status: .engine(.unseen(why)), declared: remote.declared))
  }

  /// Whether it is not sent before attempts that were given up have ended.
  func isDelayed(_ remote: RemoteAttempt) -> Bool {
    left.delays(remote.name.job, on: remote.engine, withGPUs: !remote.gpus.isEmpty)
  }

  /// Sends what has not been sent to any engine, in order.
  func sendWaiting() {
    for remote in attempts.values.filter({ !$0.isSent }).sorted(by: { $0.place < $1.place }) {
      send(remote)
    }
  }

  /// Contacts engines with leftover attempts of an earlier runner, to end those.
  func endWhatIsLeft() {
    for engine in left.names where (try? settings(of: engine)) != nil { open(engine) }
  }

  /// Handles a report about an abandoned attempt: once it is over, the engine forgets it, too.
  func settle(_ report: EngineReport, left name: EngineAttempt, of engine: String) {
    switch report {
    case .ended, .lost, .revoked, .refused:
      left.remove(name)
      links[engine]?.send(.forget(name))
      sendWaiting()
      letGoIfIdle(engine)
    case .ready, .accepted, .pending, .started, .page, .log, .contact, .adopted, .machine, .pong,
      .note:
      break
    }
  }
}
