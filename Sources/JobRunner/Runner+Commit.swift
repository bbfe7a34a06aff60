import JobCore
import JobStore
import JobWire
import LinuxSystem

extension Runner {
  /// Makes a turn's announcements durable: rows and events of all of them in one transaction.
  ///
  /// When the store refuses (a full disk), what was accepted in this turn is taken back and its
  /// submitters are told; what happened to jobs that run is kept and tried again, because it is
  /// true whether or not it can be written.
  func commit(_ turn: inout Turn) {
    guard !turn.isSettled || !unsaved.isSettled else { return }
    let waiting = unsaved
    unsaved = Turn()
    var whole = turn
    whole.lines = waiting.lines + turn.lines
    whole.released = waiting.released + turn.released
    whole.specifications.merge(waiting.specifications) { first, _ in first }
    beingAccepted = Set(whole.specifications.keys)
    defer { beingAccepted = [] }
    do throws(StoreError) {
      try store.transaction(whole.durability) { () throws(StoreError) in
        try write(&whole)
      }
      lastEndCommand = max(lastEndCommand, whole.endCommands.last?.id ?? 0)
      turn.lines = whole.lines
      turn.endCommands = whole.endCommands
      turn.actions = waiting.actions + turn.actions
      sequence = turn.lines.last?.sequence ?? sequence
    } catch {
      note("cannot store: \(error.message)")
      saveTrouble = error.message
      if let before = turn.before { undo(&turn, to: before, because: error) }
      takeBack(&turn, because: error)
      holdBack(&turn, because: error)
      for line in turn.lines where line.kind == .ended { warn(of: line) }
      unsaved.lines = waiting.lines + turn.lines
      unsaved.released = waiting.released + turn.released
      turn.lines = []
      // A launch that is not stored would be repeated after a crash: it waits for the store, too.
      unsaved.actions = waiting.actions + turn.actions.filter(\.isLaunch)
      turn.actions.removeAll(where: \.isLaunch)
      retrySavingAt = clock() + .seconds(1)
    }
  }

  private func write(_ turn: inout Turn) throws(StoreError) {
    for number in turn.changed {
      guard let card = cards[number] else { continue }
      if let specification = turn.specifications[number] {
        try store.insert(card.row, specification: card.host == nil ? specification : nil)
      } else {
        try store.update(card.row)
      }
    }
    for number in turn.released { try store.endLingering(number) }
    turn.endCommands = []
    for line in turn.lines where line.kind == .ended { try plan(line, in: &turn) }
    for number in turn.settled { try store.dropSpecification(number) }
    let wall = wallClock().milliseconds
    for index in turn.lines.indices {
      let line = turn.lines[index]
      turn.lines[index].sequence = try store.append(
        eventAt: wall, number: line.number, kind: line.kind.rawValue, job: line.object.json)
    }
  }

  /// What is run once the job has ended is decided and stored together with its end.
  private func plan(_ line: Turn.Line, in turn: inout Turn) throws(StoreError) {
    for command in endCommands(after: line) {
      let variables = endVariables(of: line)
      turn.endCommands.append(
        try store.addEndCommand(of: line.number, command, variables: variables))
    }
  }

  /// Tells whoever watches a job why they do not hear of its end: it is told once it is stored.
  private func warn(of line: Turn.Line) {
    let object = withoutEnd(line.object)
    for client in clients.values where client.listens && client.hears(line.number) {
      client.output.append { FeedLine.progress(object).append(to: &$0) }
      markDirty(client)
    }
  }

  /// Whether the job has ended and that is not stored yet.
  func isUnsavedEnd(_ number: JobNumber) -> Bool {
    unsaved.lines.contains { $0.number == number && $0.kind == .ended }
  }

  /// The job as it is told while its end is not stored: a crash could take that end back.
  func withoutEnd(_ object: JobObject) -> JobObject {
    var object = object
    (object.state, object.outcome, object.ended) = (.running, nil, nil)
    (object.exitCode, object.signal) = (nil, nil)
    object.warning = "it has ended, and that cannot be stored: \(saveTrouble)"
    return object
  }

  /// Makes the turn not have happened: the job that was to be replaced goes on.
  private func undo(_ turn: inout Turn, to before: Turn.Before, because error: StoreError) {
    (core, cards) = (before.core, before.cards)
    for number in turn.specifications.keys { inputs[number] = nil }
    for answer in turn.answers { refuse(answer.tag, because: error) }
    turn = Turn()
  }

  private func refuse(_ tag: RequestTag, because error: StoreError) {
    let problem = "the job cannot be stored: \(error.message)"
    respond(to: tag, .failure(WireError(.cannotCreate, problem)))
  }

  /// Turns this turn's acceptances into refusals: their jobs never were.
  private func takeBack(_ turn: inout Turn, because error: StoreError) {
    let accepted = Set(turn.specifications.keys).union(turn.redone)
    guard !accepted.isEmpty else { return }
    turn.lines.removeAll { accepted.contains($0.number) }
    for answer in turn.answers {
      guard let number = answer.reply.number, accepted.contains(number) else { continue }
      refuse(answer.tag, because: error)
    }
    turn.answers.removeAll { answer in answer.reply.number.map { accepted.contains($0) } ?? false }
    turn.actions.removeAll { $0.number.map { accepted.contains($0) } ?? false }
    turn.redone = []
    // Its submitter keeps the copy of what it was to read, and whoever writes to its pipe is to hear that
    // nobody reads.
    turn.specifications = [:]
    for number in accepted.sorted() {
      inputs[number] = nil
      withdraw(number)
    }
  }

  /// Whoever ended a job by asking for it is not told that this is done: a crash could take it back.
  private func holdBack(_ turn: inout Turn, because error: StoreError) {
    let ended = Set(turn.ended)
    turn.answers.removeAll { answer in
      guard let number = answer.reply.numbers.first(where: ended.contains) else { return false }
      let problem = "job \(number) has ended, and that cannot be stored yet: \(error.message)"
      respond(to: answer.tag, .failure(WireError(.cannotCreate, problem)))
      return true
    }
  }

  /// A job is stopped whose launch still waits for the store: it never begins.
  func forgetHeldLaunch(of number: JobNumber) {
    for case .launch(number, let attempt, _) in unsaved.actions + held.launches {
      let end = RunEnd(status: .cannotStart("it was stopped before it began"))
      // Why it did not begin yet says nothing any more.
      cards[number]?.warning = nil
      inbox.append(.finished(number, attempt: attempt, end))
    }
    unsaved.actions.removeAll { $0.number == number }
    held.launches.removeAll { $0.number == number }
    if held.launches.isEmpty { held = HeldLaunches() }
  }

  /// Takes a job out of the core that nobody was told of.
  private func withdraw(_ number: JobNumber) {
    guard let snapshot = core.snapshot(number) else {
      // Accepted and ended in the same turn.
      cards[number] = nil
      return
    }
    withdrawn.insert(number)
    inbox.append(.cancel(RequestTag(0), number, now: true))
    if case .queued = snapshot.state { return }
    inbox.append(
      .finished(
        number, attempt: snapshot.attempt, RunEnd(status: .cannotStart("it could not be stored"))))
  }

  /// Drops what the core announces of a withdrawn job; its end is the last of it.
  func forgetWithdrawn(_ number: JobNumber, _ announcement: Announcement) {
    guard announcement.kind == .ended else { return }
    withdrawn.remove(number)
    cards[number] = nil
  }
}

extension Turn {
  /// Whether nothing in it has to be stored.
  fileprivate var isSettled: Bool { lines.isEmpty && released.isEmpty }

  /// Acceptance, launch intent and outcome must survive a power cut; the rest only a crash of ours.
  var durability: Store.Durability {
    let vital: Set<Announcement.Kind> = [.submitted, .launched, .ended]
    return lines.contains { vital.contains($0.kind) } ? .full : .normal
  }
}

extension Effect {
  fileprivate var isLaunch: Bool {
    if case .launch = self { true } else { false }
  }

  /// The job that the effect is about, if any.
  var number: JobNumber? {
    switch self {
    case .announce(let number, _), .launch(let number, _, _), .sample(let number),
      .stop(let number, _, _), .kill(let number), .released(let number):
      number
    case .probe, .reply: nil
    }
  }
}
