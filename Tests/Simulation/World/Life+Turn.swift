import JobCore
import JobRuntime
import JobWire

extension Life {
  /// Turns of the runtime until there are no more events, each carried out as in the runner; it may die between
  /// any two steps.
  mutating func turn() {
    while let runtime, problem == nil {
      // A new runner restores before it handles other events.
      if runtime.inbox.count > 1, !runtime.inbox.contains(where: \.isRestore), dice.chance(3) {
        runtime.inbox.shuffle(using: &dice.generator)
      }
      journal.death = crashDue.flatMap { $0.isInJournal ? $0 : nil }
      if journal.death != nil { journal.isQuick = dice.chance(2) }
      witness.beginTurn(at: now)
      let turn = runtime.turn(at: Moment(awake: now, wall: timeOfDay), &journal)
      for line in witness.takeLines() { note(line) }
      guard let turn else { break }
      for acceptance in turn.accepted where acceptance.kind == .redone { redo(acceptance.number) }
      let ends = journal.takeEnds()
      for end in ends { noteFailure(of: end.number, end.outcome) }
      for end in ends { check(end) }
      if turn.isUndone { witness.undoTurn() }
      guard problem == nil else { return }
      if crashDue?.isInJournal == true { return crash(crashOutage) }
      // With the ends that the reboot caused, or now that there were none.
      if !runtime.isHoldingBack { journal.storeBoot() }
      check(turn)
      carryOut(turn)
    }
    // Scheduled jobs are left to the next runner.
    if isStopping, let runtime, runtime.scheduler.runningCount == 0 { crash(.seconds(1)) }
  }

  private mutating func carryOut(_ turn: Turn) {
    for answer in turn.answers { send(answer) }
    if dies(.afterAnswering) { return }
    for (index, action) in turn.actions.enumerated() {
      if index == turn.actions.count / 2, dies(.amidActions) { return }
      act(action)
    }
    if dies(.afterActions) { return }
    for number in turn.ended { runtime?.retire(number) }
  }

  private mutating func send(_ answer: Turn.Answer) {
    if let number = askedToRedo.removeValue(forKey: answer.tag),
      case .success(.done) = answer.reply
    {
      promisedToRedo.insert(number)
    }
    guard let key = asked.removeValue(forKey: answer.tag) else { return }
    switch answer.reply {
    case .success(let reply):
      if let batch = batches[key] { tell(batch, reply) } else { self.answer(key, reply) }
    case .failure: note("the submission of \(key) cannot be stored")
    }
  }

  /// Everything that leaves a runtime must be in its journal.
  private mutating func check(_ turn: Turn) {
    for line in turn.lines {
      if line.sequence != lastFed + 1 {
        deny("event \(line.sequence) of job \(line.number) is told after \(lastFed)")
      }
      lastFed = line.sequence
      if line.kind == .ended, journal.ended[line.number] == nil {
        deny("the end of job \(line.number) is told, and not stored")
      }
    }
    for case .launch(let number, let attempt, _) in turn.actions where isLaunching(number) {
      guard let row = journal.rows[number] else {
        deny("job \(number) is launched, not stored")
        continue
      }
      if row.attempt != attempt { deny("attempt \(attempt) of job \(number) is not stored") }
    }
    for case .stop(let number, let reason, _) in turn.actions {
      if let job = runtime?.jobs[number] { checkSuccessor(of: job, reason) }
    }
    for answer in turn.answers { check(answer) }
    checkKept()
    if turn.refusal != nil, !turn.lines.isEmpty { deny("what was refused is told") }
  }

  /// Whether it was not stopped in the very turn that launched it, so that it begins.
  func isLaunching(_ number: JobNumber) -> Bool {
    if case .launching? = runtime?.scheduler.snapshot(number)?.state { true } else { false }
  }

  private mutating func check(_ answer: Turn.Answer) {
    guard case .success(let reply) = answer.reply else { return }
    for number in reply.numbers where answer.tag != RequestTag(0) {
      if journal.rows[number] == nil, journal.ended[number] == nil, !reply.isOfNobody {
        deny("an answer speaks of job \(number), which is not stored")
      }
      if runtime?.scheduler.snapshot(number) == nil, journal.ended[number] == nil,
        !reply.isOfNobody, !reply.isDuplicate
      {
        deny("a request ended job \(number), and that is not stored")
      }
    }
  }

  private mutating func dies(_ point: CrashPoint) -> Bool {
    guard crashDue == point else { return false }
    crash(crashOutage)
    return true
  }

  mutating func crash(_ outage: Interval) {
    let point = crashDue.map { " \($0)" } ?? ""
    note("-- the runner dies\(point)")
    crashes += 1
    crashDue = nil
    runtime = nil
    journal.reopen()
    (asked, askedToRedo) = ([:], [:])
    isStopping = false
    isProbing = false
    generation += 1
    plan(.recover, after: .milliseconds(1) + outage)
  }
}

extension CrashPoint {
  var isInJournal: Bool {
    switch self {
    case .beforeStoring, .withinStoring, .afterStoring: true
    case .afterAnswering, .amidActions, .afterActions: false
    }
  }
}

extension Reply {
  /// Whether it answers that there is no such job.
  fileprivate var isOfNobody: Bool {
    if case .notLive = self { true } else { false }
  }

  fileprivate var isDuplicate: Bool {
    if case .duplicate = self { true } else { false }
  }
}
