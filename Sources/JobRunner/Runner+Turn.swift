import JobCore
import JobStore
import JobWire
import LinuxSystem

extension Runner {
  /// Takes everything that happened through the core, until nothing is left to decide.
  ///
  /// Decide, persist, tell, act, tidy up. Whoever asked has the answer before a process is started,
  /// which takes far longer. Acting may bring new events (a sample's answer); they take another
  /// turn.
  func settle() {
    var endedKeys: [String: JobNumber] = [:]
    while !inbox.isEmpty {
      let now = clock()
      let events = takeEvents()
      var turn = Turn()
      turn.endedKeys = endedKeys
      if let event = events.first, isReplacing(event) { turn.before = Turn.Before(core, cards) }
      for event in events where !isRepeated(event, in: &turn) {
        let event = informed(event)
        for effect in core.handle(event, at: now) {
          stage(effect, of: event, into: &turn, at: now)
        }
      }
      commit(&turn)
      publish(turn)
      flush()
      for number in turn.specifications.keys { adoptInput(of: number) }
      planSuccessors(of: turn.lines)
      for number in turn.redone { startAfresh(number) }
      act(on: turn.actions)
      notify(of: turn.lines)
      begin(turn.endCommands)
      for number in turn.ended { retire(number) }
      endedKeys = turn.endedKeys
    }
  }

  /// What has happened; a submission that takes the place of a live job has a turn of its own.
  private func takeEvents() -> [Event] {
    let others = inbox.prefix { !isReplacing($0) }
    let events = Array(inbox.prefix(max(1, others.count)))
    inbox.removeFirst(events.count)
    return events
  }

  /// Whether the event may end another job in favour of a new one.
  private func isReplacing(_ event: Event) -> Bool {
    guard case .submit(_, let submission) = event, submission.ifExists != .keep,
      let existing = core.number(of: submission.identifier)
    else { return false }
    // Asked once more, it replaces nothing.
    return cards[existing]?.submission.key != submission.key
  }

  /// Whether the event submits once more what has ended since it came; it is answered then.
  private func isRepeated(_ event: Event, in turn: inout Turn) -> Bool {
    guard case .submit(let tag, let submission) = event, let number = turn.endedKeys[submission.key]
    else { return false }
    pendingSubmissions[tag] = nil
    turn.answers.append(
      Turn.Answer(
        tag: tag, reply: .duplicate(number), object: object(of: number, live: false)))
    return true
  }

  private func stage(_ effect: Effect, of event: Event, into turn: inout Turn, at now: Instant) {
    switch effect {
    case .announce(let number, let announcement):
      guard !withdrawn.contains(number) else { return forgetWithdrawn(number, announcement) }
      stage(announcement, of: number, event: event, into: &turn, at: now)
    case .reply(let tag, let reply):
      turn.answers.append(
        Turn.Answer(tag: tag, reply: reply, object: reply.number.flatMap { object(of: $0) }))
    case .launch(let number, let attempt, let gpus):
      cards[number]?.beginAttempt(attempt, gpus: gpus)
      turn.actions.append(effect)
    case .released(let number):
      turn.released.append(number)
      turn.actions.append(effect)
    case .sample, .stop, .kill, .probe:
      turn.actions.append(effect)
    }
  }

  private func stage(
    _ announcement: Announcement, of number: JobNumber, event: Event, into turn: inout Turn,
    at now: Instant
  ) {
    if cards[number] == nil { accept(number, from: event, into: &turn) }
    guard var card = cards[number] else { return }
    card.state = announcement.state
    // The end of one job also changes what others wait for: only its own card has its exit code.
    if case .finished(number, _, let end) = event { card.record(end) }
    let wall = wallClock()
    card.remember(core.past(of: number), delay: core.delay(of: number), at: now, wall)
    switch announcement.kind {
    case .started where card.startedAt == nil: card.startedAt = wall
    case .ended:
      card.endedAt = card.attemptEndedAt ?? wall
      card.lingers = core.isLingering(number)
    // It may end while it waits.
    case .queued: card.attemptEndedAt = nil
    default: break
    }
    cards[number] = card
    if announcement.kind == .ended { turn.endedKeys[card.submission.key] = number }
    if let object = object(of: number, live: announcement.kind != .ended) {
      turn.lines.append(Turn.Line(number: number, kind: announcement.kind, object: object))
    }
  }

  /// Makes the card of a job that the core has just accepted.
  private func accept(_ number: JobNumber, from event: Event, into turn: inout Turn) {
    if case .redo(let tag, _, _, _, _) = event { return revive(number, tag, into: &turn) }
    guard case .submit(let tag, let submission) = event,
      let pending = pendingSubmissions.removeValue(forKey: tag)
    else { return }
    cards[number] = JobCard(
      number: number, submission: submission, definition: pending.request.definition,
      title: pending.request.title, subtitle: pending.request.subtitle, submittedAt: wallClock())
    cards[number]?.onEnd = pending.request.onEnd
    cards[number]?.details = pending.request.details
    if let owner = pending.host {
      cards[number]?.host = owner
      hosts[owner.mark]?.jobs.insert(number)
    }
    turn.specifications[number] = pending.specification
    if pending.request.details.input == .passed { inputs[number] = pending.input }
  }

  func act(on actions: [Effect]) {
    for action in actions {
      switch action {
      case .launch(let number, let attempt, let gpus):
        launch(number, attempt: attempt, gpus: gpus)
      case .sample(let number): sample(number)
      case .stop(let number, let reason, let deadline):
        stop(number, reason: reason, deadline: deadline)
      case .kill(let number): kill(number)
      case .probe: probeAgain()
      case .released(let number): released(number)
      case .announce, .reply: break
      }
    }
  }

  /// The job as it is now, after a look at its page; nil for one that is not live.
  func freshObject(of number: JobNumber) -> JobObject? {
    sample(number)
    return object(of: number)
  }

  /// The job as it was last seen; nil for one that is not live.
  func object(of number: JobNumber, live: Bool = true) -> JobObject? {
    guard let card = cards[number] else { return nil }
    let object = card.object(
      core: live ? core.snapshot(number) : nil, text: texts[number], places: home.places,
      now: clock(), wallNow: wallClock())
    return live && isUnsavedEnd(number) ? withoutEnd(object) : object
  }
}

extension Reply {
  /// All jobs that the answer speaks of.
  var numbers: [JobNumber] {
    if case .cancelledAll(let numbers) = self { numbers } else { number.map { [$0] } ?? [] }
  }

  /// The job the answer speaks of, if any.
  var number: JobNumber? {
    switch self {
    case .accepted(let number), .duplicate(let number), .kept(let number), .done(let number),
      .alreadyStopping(let number), .notLive(let number), .noPrompt(let number):
      number
    case .refused, .cancelledAll: nil
    }
  }
}
