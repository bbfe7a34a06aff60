import JobClient
import JobCore
import JobWire
import LinuxSystem

/// The actions on the runner itself.
enum RunnerAction: String, CaseIterable {
  case status, pause, resume, stop, restart, enable, disable
}

extension Program {
  /// Carries out `jobrun runner status|pause|resume|stop|restart`.
  func runner(_ invocation: Invocation) throws(WireError) -> Int32 {
    let word = invocation.operands[0].text
    guard let action = RunnerAction(rawValue: word) else {
      throw WireError(
        .usage,
        "\(word.quoted) is not a runner action"
          + NearestName.hint(for: word, among: RunnerAction.allCases.map { $0.rawValue }))
    }
    if action == .enable || action == .disable {
      return try setUnit(action == .enable, invocation)
    }
    guard action == .stop || !invocation.isSet(.discard) else {
      throw WireError(.usage, "--discard goes with jobrun runner stop only")
    }
    let link = try action == .status || action == .stop ? linkToRunning() : link()
    let isRunning = link.connectIfRunning()
    switch action {
    case .status: return try status(on: link, isRunning: isRunning, invocation)
    case .stop:
      guard isRunning, let before = try statusIfRunning(on: link) else {
        return try notRunning(action, invocation)
      }
      let discards = invocation.isSet(.discard)
      try leave(.stop(restart: false, discard: discards), on: link)
      let kept = discards || before.queued == 0 ? "" : "; \(Self.kept(before.queued))"
      report(word, done: true, "the runner has stopped" + kept, invocation)
    case .restart:
      if isRunning { try leave(.stop(restart: true), on: link) }
      // The runner listens before it has restored its jobs, but serves requests only after that.
      let status = try status(on: link)
      let sentence = isRunning ? "the runner was restarted" : "the runner was started"
      let place = cgroup(of: status.pid).flatMap {
        $0.endsWithSession ? "it runs in \($0.name)" : nil
      }
      let more = try (place.map { [$0] } ?? []) + leftBehind(status, on: link)
      report(word, done: true, ([sentence] + more).joined(separator: "; "), invocation)
    case .pause, .resume: try hold(action == .pause, on: link, invocation)
    case .enable, .disable: break
    }
    return ExitCode.success
  }

  /// Starts the runner if necessary: the setting is stored.
  private func hold(
    _ isHeld: Bool, on link: RunnerLink, _ invocation: Invocation
  ) throws(WireError) {
    guard case .status(let status) = try link.ask(.pauseRunner(isHeld)) else {
      throw WireError(.internal, "the runner did not answer with its status")
    }
    let running =
      status.running == 1 ? "1 job keeps running" : "\(status.running) jobs keep running"
    let sentence =
      isHeld
      ? "the runner is paused: \(running), and no other starts until jobrun runner resume"
      : "the runner starts jobs again"
    report(isHeld ? "pause" : "resume", done: true, sentence, invocation)
  }

  private func notRunning(
    _ action: RunnerAction, _ invocation: Invocation
  ) throws(WireError) -> Int32 {
    if let process = RunnerStart.opening(try surroundings.paths()) {
      throw WireError(.unavailable, "\(RunnerStart.opens(process)); try again later")
    }
    report(
      action.rawValue, done: false,
      "no runner is running; the next command that needs one starts it", invocation)
    return ExitCode.success
  }

  private func status(
    on link: RunnerLink, isRunning: Bool, _ invocation: Invocation
  ) throws(WireError) -> Int32 {
    guard isRunning, let status = try statusIfRunning(on: link) else {
      _ = try notRunning(.status, invocation)
      return ExitCode.failed
    }
    if invocation.isSet(.json) {
      data.write(json: status.json + [UInt8(ascii: "\n")])
      return ExitCode.success
    }
    var facts: [FactList.Fact] = [
      ("process", "\(status.pid)"), ("version", status.version),
      ("started", ShownTime.whole(status.started)), ("home", status.home),
      ("socket", status.socket),
      ("jobs", "\(status.live) live, \(status.queued) queued, \(Self.running(status))"),
    ]
    if status.isHeld { facts.append(("paused", "no job starts until jobrun runner resume")) }
    facts.append(("slots", "\(status.slots)"))
    facts.append(("connections", "\(status.connections)"))
    facts.append(("service", cgroup(of: status.pid)?.sentence ?? RunnerCgroup.none))
    if let notices = status.notifications {
      facts.append(("notifications", "\(notices.isOn ? "on" : "off"): \(notices.why)"))
    }
    if let awake = status.keepAwake {
      facts.append(("keep awake", "\(awake.isOn ? "on" : "off"): \(awake.why)"))
    }
    if let groups = status.controlGroups {
      facts.append(("cgroups", (groups.isOn ? "" : "none: ") + groups.why))
    }
    if let pushes = status.pushes?.facts { facts.append(("pushes", pushes)) }
    for note in try leftBehind(status, on: link) + status.notes { facts.append(("note", note)) }
    FactList.write(facts, to: data)
    return ExitCode.success
  }

  /// A link that starts no runner.
  private func linkToRunning() throws(WireError) -> RunnerLink {
    let none = WireError(.unavailable, "no runner is running")
    return RunnerLink(paths: try runnerPaths(), program: .failure(none))
  }

  private static func kept(_ count: Int) -> String {
    count == 1
      ? "1 job waits for the next runner" : "\(count) jobs wait for the next runner"
  }

  /// The runner's status; nil when it has just exited.
  private func statusIfRunning(on link: RunnerLink) throws(WireError) -> RunnerStatus? {
    do throws(WireError) {
      return try status(on: link)
    } catch {
      guard link.isLost else { throw error }
      return nil
    }
  }

  /// The status of a serving runner, which is started if necessary.
  func status(on link: RunnerLink) throws(WireError) -> RunnerStatus {
    guard case .status(let status) = try link.ask(.status) else {
      throw WireError(.internal, "the runner did not answer with its status")
    }
    return status
  }

  private static func running(_ status: RunnerStatus) -> String {
    "\(status.running) running" + (status.paused > 0 ? " (\(status.paused) paused)" : "")
  }

  /// Tells the runner to leave and waits until it has closed the connection.
  func leave(_ request: Request, on link: RunnerLink) throws(WireError) {
    guard try link.send(request) != nil else { return }
    while let number = link.number {
      _ = try WireError.from(.internal) { () throws(SystemError) in
        try Poll.wait(number, .readable, until: nil)
      }
      guard case .lines(let lines) = try link.receive() else { return }
      for case .reply(.error(_, let error)) in lines { throw error }
    }
  }
}

extension PushTally {
  /// The facts in words; nil without any.
  fileprivate var facts: String? {
    guard self != PushTally() else { return nil }
    var parts = ["\(accepted) accepted", "\(coalesced) merged", "\(dropped) dropped"]
    let heard = subscriptions
    if heard.streams > 0 {
      parts.append("\(heard.open) of \(heard.streams) streams open")
      parts.append("\(heard.events) events")
      if heard.garbage > 0 { parts.append("\(heard.garbage) invalid") }
    }
    return parts.joined(separator: ", ") + (heard.trouble.map { "; \(SafeText.shown($0))" } ?? "")
  }
}
