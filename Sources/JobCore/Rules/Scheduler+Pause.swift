// A paused job keeps all its resources but its slot, including memory and GPUs. Its clocks stop, and are
// shifted by the length of the pause at its end, which a person asks for or a time that was given with it.
extension Scheduler {
  /// What is asked of a pause.
  struct PauseTerms: Sendable {
    let keepsSlot: Bool
    /// From its beginning to its end; nil = until a person ends it.
    let length: Interval?
  }

  /// A pause of a job whose worker has not begun.
  struct PauseAtStart: Sendable {
    let number: JobNumber
    /// Nil for a pause of all jobs, which was answered at once.
    let tag: RequestTag?
    let terms: PauseTerms
  }

  mutating func pause(
    _ number: JobNumber, _ tag: RequestTag, _ terms: PauseTerms, at now: Instant
  ) {
    guard let index = table.index(of: number) else { return outbox.reply(tag, .notLive(number)) }
    if case .launching = table[index].phase, table[index].isPausable {
      // There is no process to stop yet.
      return pausesAtStart.append(PauseAtStart(number: number, tag: tag, terms: terms))
    }
    outbox.reply(tag, pause(index, terms, at: now))
  }

  /// Pauses all running jobs, and launching ones as soon as they run; waiting jobs keep waiting, and hosted ones
  /// are paused one by one, once their programs have done so.
  mutating func pauseAll(
    _ tag: RequestTag, _ terms: PauseTerms, in some: JobSelection?, at now: Instant
  ) {
    var paused: [JobNumber] = []
    for number in active.elements where isMeant(number, by: some) {
      guard let index = table.index(of: number),
        !table[index].submission.isHosted || table[index].pause != nil
      else { continue }
      if case .launching = table[index].phase, table[index].isPausable {
        pausesAtStart.append(PauseAtStart(number: number, tag: nil, terms: terms))
        paused.append(number)
      } else if case .done = pause(index, terms, at: now) {
        paused.append(number)
      }
    }
    outbox.reply(tag, .changedAll(paused))
  }

  /// Pauses the jobs that have begun by now; a job whose worker never began cannot be paused.
  mutating func pauseStarted(at now: Instant) {
    let waiting = pausesAtStart
    pausesAtStart = []
    for wish in waiting {
      guard let index = table.index(of: wish.number) else {
        if let tag = wish.tag { outbox.reply(tag, .notLive(wish.number)) }
        continue
      }
      if case .launching = table[index].phase {
        pausesAtStart.append(wish)
        continue
      }
      let reply = pause(index, wish.terms, at: now)
      if let tag = wish.tag { outbox.reply(tag, reply) }
    }
  }

  private mutating func pause(_ index: Int, _ terms: PauseTerms, at now: Instant) -> Reply {
    let number = table[index].number
    if let engine = table[index].engine {
      return .cannotPause(
        number, "job \(number) runs on \(engine); only jobs on this machine can be paused")
    }
    var wanted = Pause(
      since: now, keepsSlot: terms.keepsSlot, until: terms.length.map { now + $0 })
    switch table[index].phase {
    case .running: begin(wanted, index)
    case .stalled(let since):
      wanted.stalledSince = since
      begin(wanted, index)
    case .paused(let pause): return renew(pause, as: wanted, index)
    case .stopping: return .cannotPause(number, "job \(number) is already stopping")
    case .inLine, .delayed, .after, .awaiting, .scheduled, .held:
      return .cannotPause(
        number,
        "job \(number) has not started, so there is nothing to pause;"
          + " jobrun hold \(number) keeps it from starting")
    case .launching, .away:
      return .cannotPause(
        number, "job \(number) has not started, so there is nothing to pause")
    }
    return .done(number)
  }

  /// Pauses a paused job again: cancels its pending resume, or changes when it resumes and whether it keeps its
  /// slot.
  private mutating func renew(_ pause: Pause, as wanted: Pause, _ index: Int) -> Reply {
    let number = table[index].number
    if wanted.keepsSlot, !pause.keepsSlot {
      guard hasRoomToGoOn(index) else {
        let taken = currentSlotHolders(of: table[index].submission.options.lane).sentence
        return .cannotPause(number, "job \(number) is paused and has no slot to keep: \(taken)")
      }
      takeSlot(index)
    } else if pause.keepsSlot, !wanted.keepsSlot {
      releaseSlot(index)
    } else if pause.waits == nil, pause.until == wanted.until {
      return .done(number)
    }
    var pause = pause
    pause.keepsSlot = wanted.keepsSlot
    pause.until = wanted.until
    pause.waits = nil
    leaveResuming(number)
    table[index].phase = .paused(pause)
    // It stays odd, and is later than the page's mark.
    table[index].pauseMark &+= 2
    outbox.announce(number, .paused, .paused(pause))
    outbox.act(.pause(number, pause, mark: table[index].pauseMark))
    reschedule(index)
    return .done(number)
  }

  private mutating func takeSlot(_ index: Int) {
    lanes.takeSlot(for: &table[index].lease)
    noteSlots(of: lane(index))
  }

  private mutating func begin(_ pause: Pause, _ index: Int) {
    let number = table[index].number
    var pause = pause
    // An unanswered question may already have cost the slot.
    pause.keepsSlot = pause.keepsSlot && table[index].lease.hasSlot
    table[index].phase = .paused(pause)
    table[index].pauseMark &+= 1
    conditioned.remove(number)
    if !pause.keepsSlot { releaseSlot(index) }
    outbox.announce(number, .paused, .paused(pause))
    outbox.act(.pause(number, pause, mark: table[index].pauseMark))
    reschedule(index)
  }

  mutating func resume(_ number: JobNumber, _ tag: RequestTag, at now: Instant) {
    guard let index = table.index(of: number) else { return outbox.reply(tag, .notLive(number)) }
    let isMeant = pausesAtStart.contains { $0.number == number }
    if isMeant { forgetPausesAtStart { $0.number == number } }
    outbox.reply(tag, resume(index, at: now) || isMeant ? .done(number) : .notPaused(number))
  }

  /// Drops pauses at start after a person changed their mind.
  private mutating func forgetPausesAtStart(where isMeant: (PauseAtStart) -> Bool) {
    for wish in pausesAtStart where isMeant(wish) {
      if let tag = wish.tag { outbox.reply(tag, .done(wish.number)) }
    }
    pausesAtStart.removeAll(where: isMeant)
  }

  mutating func resumeAll(_ tag: RequestTag, in some: JobSelection?, at now: Instant) {
    let meant = active.elements.filter { isMeant($0, by: some) }
    forgetPausesAtStart { wish in meant.contains(wish.number) }
    let resumed = meant.filter { number in
      table.index(of: number).map { resume($0, at: now) } ?? false
    }
    outbox.reply(tag, .changedAll(resumed))
  }

  /// Resumes a paused job, or lets it wait for a slot; whether it was paused.
  private mutating func resume(_ index: Int, at now: Instant) -> Bool {
    guard case .paused(var pause) = table[index].phase else { return false }
    if pause.keepsSlot || hasRoomToGoOn(index) {
      goOn(index, at: now)
    } else if pause.waits == nil {
      let number = table[index].number
      pause.waits = PendingReason(
        currentSlotHolders(of: table[index].submission.options.lane))
      pause.until = nil
      table[index].phase = .paused(pause)
      resuming.insert(number)
      outbox.announce(number, .paused, .paused(pause))
      reschedule(index)
    }
    return true
  }

  /// The time of a pause is up: the job resumes as if a person had asked for it.
  mutating func endPause(_ index: Int, at now: Instant) {
    guard let until = table[index].pause?.until, until <= now else { return reschedule(index) }
    _ = resume(index, at: now)
  }

  /// The first job of a lane that waits for a slot to resume.
  func firstToGoOn(in owner: LaneOwner) -> JobNumber? {
    guard !resuming.isEmpty, let lane = lanes.lane(of: owner) else { return nil }
    return resuming.elements.first { table.index(of: $0).map { self.lane($0) } == lane }
  }

  /// Resumes a paused job, in its slot or in a free one.
  mutating func goOn(_ index: Int, at now: Instant) {
    guard let pause = table[index].pause, leavePause(index, at: now) else { return }
    let number = table[index].number
    if !table[index].lease.hasSlot { takeSlot(index) }
    let length = now - pause.since
    if let stalledSince = pause.stalledSince {
      table[index].phase = .stalled(since: stalledSince + length)
      table[index].lease.slotUntil = stalledSince + length + configuration.promptKeepsSlot
    } else {
      table[index].phase = .running
    }
    if isConditioned(index) { conditioned.insert(number) }
    outbox.announce(number, .resumed, state(index))
    outbox.act(.resume(number, mark: table[index].pauseMark))
    reschedule(index)
  }

  /// Shifts the clocks of a paused job that resumes or stops; whether it was paused.
  mutating func leavePause(_ index: Int, at now: Instant) -> Bool {
    guard let pause = table[index].pause else { return false }
    let length = now - pause.since
    table[index].watch.skip(length, since: pause.since)
    table[index].conditionLostAt = nil
    table[index].paused = table[index].paused + length
    table[index].pauseMark &+= 1
    leaveResuming(table[index].number)
    return true
  }

  /// A paused job no longer waits for slots, so those that were kept for it may go to others.
  mutating func leaveResuming(_ number: JobNumber) {
    guard resuming.contains(number) else { return }
    resuming.remove(number)
    admissionDue = true
  }

  /// A job of an earlier runner that is paused: its clocks stand where they stood.
  mutating func restorePaused(
    _ index: Int, _ pause: Pause, _ sample: PageSample, _ past: PastAttempts
  ) {
    var pause = pause
    pause.since = min(pause.since, latest)
    if pause.waits != nil { pause.until = nil }
    var watch = Watch(from: pause.since, stallTimeout: table[index].watch.stallTimeout)
    watch.startedAt = min(table[index].watch.startedAt, pause.since)
    watch.restore(sample, past)
    table[index].watch = watch
    table[index].pauseMark = past.pauseMark | 1
    table[index].phase = .paused(pause)
    guard pause.waits != nil else { return }
    resuming.insert(table[index].number)
    admissionDue = true
  }

  /// The current state of a pause: the slot holders change.
  func shown(_ pause: Pause, of owner: LaneOwner) -> Pause {
    var pause = pause
    if pause.waits != nil { pause.waits = PendingReason(currentSlotHolders(of: owner)) }
    return pause
  }

  /// Pauses all starts until a person allows them; running jobs, and jobs that resume after a pause, continue.
  mutating func pauseRunner(_ isPaused: Bool) {
    self.isPaused = isPaused
    slotsTaken = [:]
    admissionDue = true
  }
}

extension Job {
  /// Whether its processes can be stopped for a while.
  var isPausable: Bool { !submission.isHosted && engine == nil }

  var isLaunching: Bool { if case .launching = phase { true } else { false } }
}
