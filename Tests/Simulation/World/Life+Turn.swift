import JobCore

extension Life {
  /// One turn of the runner's loop: decide, store, answer, act; it may die between any two of them.
  mutating func turn() {
    while core != nil, !inbox.isEmpty, problem == nil {
      var events = inbox
      inbox = []
      // A new runner restores before it hears of anything else.
      if events.count > 1, !events[0].isRestore, dice.chance(3) {
        events.shuffle(using: &dice.generator)
      }
      let before = world
      var effects: [Effect] = []
      for event in events where !isRepeated(event, effects) {
        effects += handle(informed(event, effects))
      }
      guard problem == nil else { return }
      if dies(.beforeStoring) {
        world = before
        return
      }
      persist(effects)
      // The boot is stored only now that what it ended is.
      rebooted = false
      if dies(.afterStoring) { return }
      for case .reply(let tag, let reply) in effects {
        if let key = asked.removeValue(forKey: tag) { answer(key, reply) }
      }
      if dies(.afterAnswering) { return }
      act(effects)
    }
    // What waits for its moment is left to the next runner.
    if isStopping, core != nil, core?.runningCount == 0 { crash(.seconds(1)) }
  }

  private mutating func handle(_ event: Event) -> [Effect] {
    events += 1
    let instant = now
    let effects = core?.handle(event, at: instant) ?? []
    if isTraced, event.isTelling || effects.contains(where: \.isTelling) {
      note("\(event.text) | \(effects.map(\.text).joined(separator: ", "))")
    }
    guard problem == nil else { return effects }
    world.take(effects, of: event, at: now)
    noteAcceptance(effects, of: event)
    if case .restore(let number, let submission, let attempt, let phase, _) = event {
      admit(number, submission, attempt, phase)
    }
    let broken = world.impossible + (core?.violatedInvariants ?? [])
    if !broken.isEmpty { deny("\(broken.joined(separator: "; ")) after \(event.text)") }
    if !event.isRestore, let vain = core?.waitingInVain, !vain.isEmpty {
      deny("jobs \(vain) wait for others that are gone, after \(event.text)")
    }
    let live = core?.liveNumbers ?? []
    if live != world.live { deny("live are \(live), and should be \(world.live)") }
    return effects
  }

  /// A submission with how those ended that it comes after, as the runner tells it.
  private func informed(_ event: Event, _ effects: [Effect]) -> Event {
    guard case .submit(let tag, var submission) = event else { return event }
    for index in submission.after.indices {
      let number = submission.after[index].number
      submission.after[index].outcome = outcomes[number]
      for case .announce(number, let announcement) in effects {
        if case .ended(let outcome, _) = announcement.state {
          submission.after[index].outcome = outcome
        }
      }
    }
    return .submit(tag, submission)
  }

  /// Whether the event submits once more what has ended in this very turn; it is a duplicate then,
  /// and the client asks again.
  private func isRepeated(_ event: Event, _ effects: [Effect]) -> Bool {
    guard case .submit(_, let submission) = event else { return false }
    return effects.contains { effect in
      guard case .announce(let number, let announcement) = effect else { return false }
      return announcement.kind == .ended && accepted[number] == submission.key
    }
  }

  private mutating func noteAcceptance(_ effects: [Effect], of event: Event) {
    guard case .submit(_, let submission) = event else { return }
    for case .announce(let number, let announcement) in effects
    where announcement.kind == .submitted {
      accepted[number] = submission.key
    }
  }

  /// What the second model must know of a job that an earlier runner stored.
  private mutating func admit(
    _ number: JobNumber, _ submission: Submission, _ attempt: Int, _ phase: RestoredPhase
  ) {
    var member = World.Member(stage: .inLine, submission: submission)
    member.attempt = attempt
    switch phase {
    case .queued: member.attempt = attempt - 1
    case .delayed:
      member.attempt = attempt - 1
      member.stage = .aside
    case .launching(let gpus):
      member.stage = .active(stopping: false)
      member.gpus = gpus
    case .running(let gpus, _, let stalledSince):
      member.stage = .active(stopping: false)
      member.gpus = gpus
      member.promptSince = stalledSince
    case .stopping(let gpus, _, _):
      member.stage = .active(stopping: true)
      member.gpus = gpus
    case .lingering(let gpus):
      member.stage = .ended
      member.lingers = true
      member.gpus = gpus
    }
    world.members[number] = member
    world.noteRestored(phase, of: number)
    for waiting in world.live {
      guard case .queued(let reason)? = core?.snapshot(waiting)?.state else { continue }
      let isAside = [.after, .retry, .notBefore].contains(reason.code)
      world.members[waiting]?.stage = isAside ? .aside : .inLine
    }
  }

  private mutating func dies(_ point: CrashPoint) -> Bool {
    guard crashDue == point else { return false }
    crash(crashOutage)
    return true
  }

  mutating func crash(_ outage: Span) {
    let point = crashDue.map { " \($0)" } ?? ""
    note("-- the runner dies\(point)")
    crashes += 1
    crashDue = nil
    core = nil
    inbox = []
    asked = [:]
    isStopping = false
    isProbing = false
    generation += 1
    plan(.recover, after: .milliseconds(1) + outage)
  }

  /// Makes announcements durable: the row of each job that changed, as it is after all of them.
  private mutating func persist(_ effects: [Effect]) {
    for case .announce(let number, let announcement) in effects {
      if announcement.kind == .submitted { accept(number) }
      store[number]?.state = announcement.state
      if case .ended(let outcome, let reason) = announcement.state {
        check(outcome, reason, of: number)
        outcomes[number] = outcome
        store[number] = nil
      } else if let snapshot = core?.snapshot(number) {
        store[number]?.attempt = snapshot.attempt
        store[number]?.gpus = snapshot.gpus
        store[number]?.past = core?.past(of: number) ?? PastAttempts()
        let delay = delay(of: number, announcement.state)
        store[number]?.delay = delay
      }
    }
  }

  private func delay(
    of number: JobNumber, _ state: JobState
  ) -> (until: Instant, at: Span, reason: PendingReason)? {
    guard let until = core?.delay(of: number), case .queued(let reason) = state else { return nil }
    return (until, time + (until - now), reason)
  }

  private mutating func accept(_ number: JobNumber) {
    guard let key = accepted[number], let (submission, plan) = submissions[key] else {
      return deny("job \(number) was accepted, and nobody submitted it")
    }
    numbers[key] = number
    nextNumber = max(nextNumber, JobNumber(number.value + 1))
    store[number] = StoredJob(
      submission: submission, plan: plan, state: .launching, attempt: 1)
  }

  private mutating func act(_ effects: [Effect]) {
    let actions = effects.filter(\.isAction)
    for (index, action) in actions.enumerated() {
      if index == actions.count / 2, dies(.amidActions) { return }
      act(action)
    }
    _ = dies(.afterActions)
  }

  private mutating func act(_ action: Effect) {
    switch action {
    case .launch(let number, let attempt, let gpus): launch(number, attempt, gpus)
    case .sample(let number): look(at: number)
    case .stop(let number, _, _): stop(number)
    case .kill(let number):
      // A kill that could not be carried out is followed by another.
      if let place = place(of: number), !dice.chance(20) {
        plan(.workerEnds(place, .signalled(9), .nothing), after: dice.milliseconds(50))
      }
    case .probe:
      guard !isProbing else { return }
      isProbing = true
      plan(.deliver(.machine(facts), generation: generation), after: dice.milliseconds(8_000))
    case .released, .announce, .reply: break
    }
  }

  private func place(of number: JobNumber) -> Int? {
    living.sorted().last { attempts[$0].number == number }
  }

  private mutating func launch(_ number: JobNumber, _ attempt: Int, _ gpus: [String]) {
    guard let stored = store[number] else { return deny("job \(number) is launched, not stored") }
    if attempts.contains(where: { $0.number == number && $0.attempt == attempt }) {
      deny("attempt \(attempt) of job \(number) is launched twice")
    }
    if dice.chance(50) {
      let end = RunEnd(status: .cannotStart("there are too many processes"))
      return inbox.append(.finished(number, attempt: attempt, end))
    }
    let step = stored.plan.step(of: attempt)
    attempts.append(Attempt(number: number, attempt: attempt, step: step, gpus: gpus))
    living.insert(attempts.count - 1)
    plan(.supervisorBegins(attempts.count - 1), after: step.launchDelay)
  }

  /// Mostly answered at once, as the runner does; sometimes late, or never.
  private mutating func look(at number: JobNumber) {
    guard let place = place(of: number), !dice.chance(50) else { return }
    let event = Event.sampled(number, attempts[place].sample(at: time))
    if dice.chance(20) { tell(event, after: dice.milliseconds(3_000)) } else { inbox.append(event) }
  }

  mutating func stop(_ number: JobNumber) {
    guard let place = place(of: number) else { return }
    attempts[place].wasToldToStop = true
    guard let delay = attempts[place].step.obeysAfter else { return }
    let isDone = dice.chance(5)
    plan(
      .workerEnds(place, .exited(isDone ? 0 : 1), isDone ? .success : .nothing), after: delay)
  }
}

extension Event {
  package var isRestore: Bool { if case .restore = self { true } else { false } }

  /// Whether a trace shows it even if nothing came of it.
  fileprivate var isTelling: Bool {
    switch self {
    case .deadline, .timeOfDay, .sampled, .machine: false
    default: true
    }
  }
}

extension Effect {
  /// Looks and probes are the pulse of a runner; a trace leaves them out.
  fileprivate var isTelling: Bool {
    switch self {
    case .sample, .probe: false
    default: true
    }
  }

  fileprivate var isAction: Bool {
    switch self {
    case .announce, .reply: false
    case .launch, .sample, .stop, .kill, .probe, .released: true
    }
  }
}
