import JobCore
import JobRuntime

extension Life {
  mutating func happen(_ kind: Happening.Kind) {
    switch kind {
    case .stimulus(let place):
      dice = Dice(seed: seed ^ UInt64(stimuli[place].index) << 32)
      take(stimuli[place].kind)
    case .ask(let key): if told[key] == nil, !abandoned.contains(key) { ask(key) }
    case .askTwice(let key): if !abandoned.contains(key) { ask(key) }
    case .supervisorBegins(let place): beginSupervisor(place)
    case .workerEnds(let place, let status, let declared): endWorker(place, status, declared)
    case .recover: recover()
    case .calm:
      facts = .generous
      settings = [:]
      post(.settings([:]))
      save(false)
      busy = (nil, nil)
      post(.busy(pressure: nil, presence: nil))
      journal.isFull = false
      goOn()
    case .room: journal.isFull = false
    case .deliver(let event, let sent):
      if sent == generation { post(event) }
      if case .machine = event, sent == generation { isProbing = false }
    }
  }

  private mutating func take(_ stimulus: Stimulus.Kind) {
    note("-- \(stimulus.text)")
    switch stimulus {
    case .submit(let submission, let plan):
      var submission = submission
      if dice.chance(4) { submission.after = prerequisites() }
      if dice.chance(5) {
        (submission.isHosted, submission.options.speaksPage) = (true, true)
        submission.options.engine = nil
        submitters[submission.key] = host(dice.pick(aliveHosts)).mark
      }
      submissions[submission.key] = (submission, plan)
      ask(submission.key)
    case .batch(let batch, let plan): begin(batch, plan)
    case .cancel(let choice, let isNow):
      guard let number = live(choice) else { return }
      blamed[number, default: []].insert(.user)
      request { .cancel($0, number, now: isNow) }
    case .pause(let choice, let keepsSlot, let length):
      if let number = live(choice) {
        request { .pause($0, number, keepsSlot: keepsSlot, length: length) }
      }
    case .resume(let choice): if let number = live(choice) { request { .resume($0, number) } }
    case .pauseAll: request { .pauseAll($0, keepsSlot: false) }
    case .pauseRunner(let isPaused): pauseRunner(isPaused)
    case .saving(let isShort): save(isShort)
    case .busy(let isPressed, let isAttended):
      busy = (isPressed ? "memory is short" : nil, isAttended ? "somebody is there" : nil)
      post(.busy(pressure: busy.pressure, presence: busy.presence))
    case .settings(let settings):
      self.settings = settings
      post(.settings(settings))
    case .answer(let choice, let continues):
      if let number = live(choice) { request { .answer($0, number, continues: continues) } }
    case .lie(let choice): lie(choice)
    case .redo(let choice, let isForced): askToRedo(choice, isForced: isForced)
    case .steer(let choice, let how): steer(choice, how)
    case .simulate(let choice, let what):
      if let number = live(choice) { request { .simulate($0, number, what) } }
    case .machine(let new): facts = new
    case .crash(let point, let outage):
      crashDue = point
      crashOutage = outage
    case .reboot(let outage): reboot(outage)
    case .killSupervisor(let choice): killSupervisor(choice)
    case .clock(let shift):
      clockShift += shift
      clockWasSet = true
      post(.timeOfDay(timeOfDay))
    case .groups(let slots):
      groupSlots = slots
      post(.groups(slots))
    case .fullDisk(let span):
      journal.isFull = true
      plan(.room, after: span)
    case .shutdown(let discardsQueue):
      guard runtime != nil else { return }
      isStopping = true
      wasStopped = true
      post(.shutdown(discardsQueue: discardsQueue))
    }
  }

  private mutating func save(_ isShort: Bool) {
    saving = isShort ? "the battery is low" : nil
    post(.saving(saving))
  }

  /// Mostly live jobs; some that have ended.
  mutating func prerequisites() -> [Prerequisite] {
    let live = journal.rows.keys.sorted()
    let ended = outcomes.keys.sorted()
    var numbers: Set<JobNumber> = []
    for _ in 0...dice.number(in: 0...2) {
      let named = ended.isEmpty || !dice.chance(5) ? live : ended
      if !named.isEmpty { numbers.insert(dice.pick(named)) }
    }
    return numbers.sorted().map { Prerequisite($0, anyEnd: dice.chance(3)) }
  }

  func live(_ choice: Int) -> JobNumber? {
    let live = runtime?.scheduler.liveNumbers ?? []
    return live.isEmpty ? nil : live[choice % live.count]
  }

  /// Sends a request, sometimes twice.
  mutating func request(_ event: (RequestTag) -> Event) {
    guard let runtime else { return }
    for _ in 0..<(dice.chance(10) ? 2 : 1) { post(event(runtime.nextTag())) }
  }

  /// A client submits, or asks again because no answer came.
  mutating func ask(_ key: String) {
    plan(.ask(key: key), after: .milliseconds(1_000) + dice.milliseconds(5_000))
    if let batch = batches[key] { return ask(batch) }
    guard let runtime, let (submission, _) = submissions[key] else { return }
    // A second request may arrive before the first was stored; then the scheduler must find it.
    if let number = (try? runtime.job(withKey: key, by: journal)) ?? nil,
      runtime.scheduler.snapshot(number) == nil || dice.chance(2)
    {
      return answer(key, .duplicate(number))
    }
    if dice.chance(2) { post(.machine(facts)) }
    // The second never comes in the same turn: a client asks again only when it has waited.
    if dice.chance(10) {
      plan(.askTwice(key: key), after: .milliseconds(2) + dice.milliseconds(100))
    }
    let tag = runtime.nextTag()
    var job = LiveJob(
      number: JobNumber(0), submission: submission, definition: nil, title: "", subtitle: "",
      submittedAt: timeOfDay)
    job.host = submitters[key].map { JobHost(mark: $0, pid: 1, startTime: 0) }
    runtime.drafts[tag] = Draft(job)
    post(.timeOfDay(timeOfDay))
    post(.submit(tag, submission))
    asked[tag] = key
  }

  /// The client gets the answer, unless the connection broke just then.
  mutating func answer(_ key: String, _ reply: Reply) {
    guard !dice.chance(10) else { return }
    noteAnswer(key, reply)
  }

  /// No two answers to the same submission contradict each other.
  mutating func noteAnswer(_ key: String, _ reply: Reply) {
    switch (told[key], reply) {
    case (nil, _): told[key] = reply
    case (.accepted(let first)?, .duplicate(let second)),
      (.duplicate(let first)?, .duplicate(let second)),
      (.duplicate(let first)?, .accepted(let second)):
      if first != second { deny("\(key) is job \(first) and job \(second)") }
    case (.accepted(let first)?, .accepted(let second)):
      deny("\(key) was accepted twice, as \(first) and \(second)")
    case (.accepted(let first)?, .refused), (.duplicate(let first)?, .refused):
      deny("\(key) was accepted as \(first) and then refused")
    default: break
    }
  }

  private mutating func beginSupervisor(_ place: Int) {
    if attempts[place].host != nil { return beginHosted(place) }
    guard attempts[place].hasSupervisor else { return }
    let begun = attempts[place]
    // Given-up attempts are ended first: of the same job, and, before GPUs are used, of the same machine.
    if living.contains(where: {
      let other = attempts[$0]
      return $0 != place && other.isLeft
        && (other.number == begun.number || !begun.gpus.isEmpty && other.engine == begun.engine)
    }) {
      return plan(.supervisorBegins(place), after: .seconds(1))
    }
    guard begun.record == .empty else { return supervisorLeaves(place) }
    if begun.step.cannotStart {
      attempts[place].record = .ended(.cannotStart("it is not there"))
      return supervisorLeaves(place)
    }
    checkStart(begun)
    attempts[place].record = .started
    attempts[place].isRunning = true
    attempts[place].began = time
    note("worker of job \(begun.number).\(begun.attempt) starts")
    tell(.started(begun.number, attempt: begun.attempt), after: begun.step.startDelay)
    plan(
      .workerEnds(place, begun.step.status, begun.step.declared),
      after: max(.milliseconds(1), begun.step.duration))
  }

  /// No job runs twice at a time, none again after it was done, and no GPU serves two.
  mutating func checkStart(_ begun: Attempt) {
    for place in living where attempts[place].isRunning {
      let other = attempts[place]
      if other.number == begun.number { deny("job \(begun.number) runs twice at the same time") }
      // Machines may call their GPUs alike.
      if other.engine == begun.engine, !Set(other.gpus).isDisjoint(with: begun.gpus) {
        deny("jobs \(other.number) and \(begun.number) both run on one of \(begun.gpus)")
      }
    }
    let first = redoneFrom[begun.number] ?? 1
    for other in attempts
    where other.number == begun.number && (first..<begun.attempt).contains(other.attempt) {
      if other.wasToldToStop { deny("job \(begun.number) was told to stop, and runs again") }
      guard other.record == .ended(.exited(0)), !other.mayBeRetried else { continue }
      if case .deferred = other.declared { continue }
      if other.declared == .failure { continue }
      deny("job \(begun.number) runs again after it had succeeded")
    }
  }

  mutating func endWorker(
    _ place: Int, _ status: RunEnd.Status, _ declared: RunEnd.Declared
  ) {
    guard attempts[place].isRunning, attempts[place].hasSupervisor else { return }
    if attempts[place].host != nil { return endHosted(place, declared) }
    if attempts[place].frozenAt != nil, status != .signalled(9) {
      attempts[place].heldEnd = (status, declared)
      return
    }
    attempts[place].isRunning = false
    attempts[place].ended = time
    attempts[place].declared = declared
    attempts[place].record = .ended(status)
    supervisorLeaves(place)
  }

  mutating func supervisorLeaves(_ place: Int) {
    let left = attempts[place]
    attempts[place].hasSupervisor = false
    living.remove(place)
    note("supervisor of job \(left.number).\(left.attempt) leaves: \(left.record)")
    tell(
      .finished(left.number, attempt: left.attempt, attempts[place].end(at: time)),
      after: dice.milliseconds(200))
  }

  private mutating func killSupervisor(_ choice: Int) {
    let paths = living.sorted()
    guard !paths.isEmpty else { return }
    let place = paths[choice % paths.count]
    if let mark = attempts[place].host { return killHost(mark) }
    if isAway(place) { return endElsewhere(place) }
    blamed[attempts[place].number, default: []].insert(.supervisorLost)
    attempts[place].isRunning = false
    attempts[place].ended = attempts[place].ended ?? time
    supervisorLeaves(place)
  }

  private mutating func reboot(_ outage: Interval) {
    // The power may have failed before the last write was on the disk.
    if dice.chance(2) { losePower() }
    for number in journal.rows.keys { blamed[number, default: []].insert(.reboot) }
    for index in aliveHosts { replaceHost(host(index).mark) }
    for place in living where !isAway(place) {
      attempts[place].isRunning = false
      attempts[place].hasSupervisor = false
      attempts[place].ended = attempts[place].ended ?? time
      living.remove(place)
    }
    journal.bootAgain()
    bootedAt = time
    if runtime != nil { crash(outage) }
  }

  /// A message to the runner of now: in time, late, twice.
  mutating func tell(_ event: Event, after delay: Interval) {
    guard runtime != nil else { return }
    plan(.deliver(event, generation: generation), after: delay)
    if dice.chance(10) {
      plan(.deliver(event, generation: generation), after: delay + dice.milliseconds(30_000))
    }
  }
}
