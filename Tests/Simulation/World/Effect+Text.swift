package import JobCore

extension Effect {
  /// As a scenario writes it.
  package var text: String {
    switch self {
    case .announce(let number, let announcement): "\(number) \(announcement.text)"
    case .launch(let number, let attempt, let gpus):
      "launch \(number).\(attempt)"
        + (gpus.isEmpty ? "" : " on " + gpus.map { $0.dropFirst(4) }.joined(separator: "+"))
    case .sample(let number): "sample \(number)"
    case .stop(let number, let reason, let deadline):
      "stop \(number) \(reason.code) by \(Interval(nanoseconds: deadline.nanoseconds).text)"
    case .pause(let number, _, _): "pause \(number)"
    case .resume(let number, _): "resume \(number)"
    case .kill(let number): "kill \(number)"
    case .released(let number): "released \(number)"
    case .probe: "probe"
    case .survey(let machine): "survey \(machine)"
    case .reply(_, let reply): reply.text
    }
  }
}

extension Announcement {
  /// The kind, and the state if the kind does not imply it.
  package var text: String {
    switch (kind, state) {
    case (.launched, .launching), (.started, .running), (.stalled, .stalled),
      (.prompt, .stalled), (.answered, .running), (.advanced, .running), (.warned, .running):
      "\(kind)"
    case (.paused, .paused(let pause)):
      pause.waits.map { "paused until \($0.code)" }
        ?? (pause.keepsSlot ? "paused with its slot" : "paused")
        + (pause.until.map { " until \(Interval(nanoseconds: $0.nanoseconds).text)" } ?? "")
    case (.resumed, .running): "resumed"
    case (.queued, .away(let reason)): "away \(reason.code)"
    case (.submitted, .queued(let reason)), (.queued, .queued(let reason)): "\(kind) \(reason.code)"
    case (.held, .queued(let reason)), (.released, .queued(let reason)),
      (.moved, .queued(let reason)), (.edited, .queued(let reason)):
      "\(kind) \(reason.code)"
    case (.stopping, .stopping(let reason, let deadline)):
      "stopping \(reason.code) by \(Interval(nanoseconds: deadline.nanoseconds).text)"
    case (.ended, .ended(let outcome, let reason)):
      "ended \(outcome)" + (reason.map { " \($0.code)" } ?? "")
    default: "\(kind) in \(state.word)"
    }
  }
}

extension JobState {
  package var word: String {
    switch self {
    case .queued(let reason): "queued \(reason.code)"
    case .away(let reason): "away \(reason.code)"
    case .launching: "launching"
    case .running: "running"
    case .stalled: "stalled"
    case .paused(let pause): "paused" + (pause.waits.map { " until \($0.code)" } ?? "")
    case .stopping(let reason, _): "stopping \(reason.code)"
    case .ended(let outcome, _): "ended \(outcome)"
    }
  }
}

extension Reply {
  package var text: String {
    switch self {
    case .accepted(let number): "accepted \(number)"
    case .duplicate(let number): "duplicate \(number)"
    case .acceptedMany(let first, let count): "accepted \(first) and \(count - 1) more"
    case .duplicateMany(let first, let count): "duplicate \(first) and \(count - 1) more"
    case .kept(let number): "kept \(number)"
    case .refused(let refusal): "refused \(refusal.code)"
    case .done(let number): "done \(number)"
    case .cancelledAll(let numbers):
      "cancelled" + numbers.map { " \($0)" }.joined()
    case .changedAll(let numbers): "changed" + numbers.map { " \($0)" }.joined()
    case .cannotPause(let number, _): "cannot pause \(number)"
    case .notPaused(let number): "not paused \(number)"
    case .alreadyStopping(let number): "already stopping \(number)"
    case .notLive(let number): "not live \(number)"
    case .noPrompt(let number): "no prompt \(number)"
    }
  }
}

extension Scheduler.Snapshot {
  /// State, attempt from the second on, position, and resources.
  package var text: String {
    var words = [state.word]
    if attempt > 1 { words.append("attempt \(attempt)") }
    if let position { words.append("#\(position)") }
    if let machine { words.append("at \(machine)") }
    if !gpus.isEmpty { words.append("on " + gpus.map { $0.dropFirst(4) }.joined(separator: "+")) }
    return words.joined(separator: " ")
  }

  /// The reason of its wait, or its warning.
  package var why: String {
    if case .queued(let reason) = state { return reason.message }
    if case .paused(let pause) = state, let reason = pause.waits { return reason.message }
    return warning ?? "nothing"
  }
}
