import JobCore
import JobRuntime

// A turn's actions on supervisors, workers and the processes that host tasks.
extension Life {
  mutating func act(_ action: Effect) {
    switch action {
    case .launch(let number, let attempt, let gpus): launch(number, attempt, gpus)
    case .sample(let number): look(at: number)
    case .stop(let number, _, _): stop(number)
    case .pause(let number, let pause, let mark): settlePause(number, pause, mark)
    case .resume(let number, let mark): settlePause(number, nil, mark)
    case .kill(let number): kill(number)
    case .probe:
      guard !isProbing else { return }
      isProbing = true
      plan(.deliver(.machine(facts), generation: generation), after: dice.milliseconds(8_000))
    case .survey(let machine): survey(machine)
    case .released, .announce, .reply: break
    }
  }

  /// Mostly it answers, sometimes late, and sometimes it cannot be reached.
  private mutating func survey(_ machine: String) {
    let answer: Survey = dice.chance(6) ? .silent("no route to host") : .facts(facts)
    plan(
      .deliver(.surveyed(machine, answer), generation: generation), after: dice.milliseconds(8_000))
    guard case .silent = answer else { return }
    plan(
      .deliver(.surveyed(machine, .facts(facts)), generation: generation),
      after: .seconds(8) + dice.milliseconds(30_000))
  }

  func place(of number: JobNumber) -> Int? {
    living.sorted().last { attempts[$0].number == number }
  }

  private mutating func launch(_ number: JobNumber, _ attempt: Int, _ gpus: [String]) {
    // As in the runner: a job that was stopped meanwhile never begins.
    guard isLaunching(number) else {
      let end = RunEnd(status: .cannotStart("it was stopped before it began"))
      return post(.finished(number, attempt: attempt, end))
    }
    guard let row = journal.rows[number] else {
      return deny("job \(number) is launched, not stored")
    }
    if attempts.contains(where: { $0.number == number && $0.attempt == attempt }) {
      deny("attempt \(attempt) of job \(number) is launched twice")
    }
    checkBudget(of: number, attempt)
    if let mark = row.host?.mark { return offer(number, attempt, gpus, to: mark) }
    if dice.chance(50) {
      let end = RunEnd(status: .cannotStart("there are too many processes"))
      return post(.finished(number, attempt: attempt, end))
    }
    let begun = begin(number, attempt, gpus)
    if isAway(begun) { return handOver(begun) }
    plan(.supervisorBegins(begun), after: attempts[begun].step.launchDelay)
  }

  /// Its place among the attempts.
  mutating func begin(_ number: JobNumber, _ attempt: Int, _ gpus: [String]) -> Int {
    let key = journal.rows[number]?.submission.key ?? ""
    guard let (_, work) = submissions[key] else {
      deny("job \(number) was accepted, and nobody submitted it")
      return 0
    }
    var made = Attempt(
      number: number, attempt: attempt, step: work.step(of: attempt), gpus: gpus)
    made.engine = journal.rows[number]?.engine
    if let submission = journal.rows[number]?.submission, submission.options.kind != .continued {
      made.bundle = submission.bundle
    }
    attempts.append(made)
    living.insert(attempts.count - 1)
    return attempts.count - 1
  }

  /// Mostly answered at once, as the runner does; sometimes late, or never.
  private mutating func look(at number: JobNumber) {
    guard let place = place(of: number), !dice.chance(50) else { return }
    let event = Event.sampled(
      number, attempts[place].sample(at: time), ages: isAway(place) ? ages(of: place) : nil)
    if dice.chance(20) { tell(event, after: dice.milliseconds(3_000)) } else { post(event) }
  }

  mutating func stop(_ number: JobNumber) {
    let place = place(of: number)
    if let row = journal.rows[number] {
      let stored = row.state.stopReason
      let decided = runtime?.scheduler.snapshot(number)?.state.stopReason
      // An expiry may be followed by another attempt (`--retry-on expired`), even of a worker whose end the
      // runner has not heard of yet, and even if the stop could not be stored.
      let isRetried =
        (stored ?? decided)?.code.outcome == .expired && row.submission.options.retriesExpired
      // A stop that could not be stored is lost with the runner that sent it.
      if stored != nil, let place { attempts[place].wasToldToStop = !isRetried }
      if stored != nil || isRetried,
        let last = place ?? attempts.lastIndex(where: { $0.number == number })
      {
        attempts[last].mayBeRetried = isRetried
      }
    }
    guard let place else { return }
    guard let delay = attempts[place].step.obeysAfter else { return }
    let isDone = dice.chance(5)
    if attempts[place].host != nil {
      return plan(.workerEnds(place, .completed, isDone ? .success : .nothing), after: delay)
    }
    plan(
      .workerEnds(place, .exited(isDone ? 0 : 1), isDone ? .success : .nothing), after: delay)
  }

  private mutating func kill(_ number: JobNumber) {
    // A kill that could not be carried out is followed by another.
    guard let place = place(of: number), !dice.chance(20) else { return }
    if attempts[place].host != nil { return endGrace(of: place) }
    if isAway(place), dice.chance(4) { return giveUp(place) }
    plan(.workerEnds(place, .signalled(9), .nothing), after: dice.milliseconds(50))
  }
}

extension JobState {
  fileprivate var stopReason: StopReason? {
    if case .stopping(let reason, _) = self { reason } else { nil }
  }
}
