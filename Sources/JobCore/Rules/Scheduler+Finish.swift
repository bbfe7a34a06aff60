extension Scheduler {
  /// The tree of an attempt is gone: the job ends, or goes back to the queue.
  mutating func finish(_ number: JobNumber, attempt: Int, _ end: RunEnd, at now: Instant) {
    guard let index = table.index(of: number) else {
      if end.status != .outlives { letGo(number) }
      return
    }
    guard table[index].isActive, table[index].attempt == attempt else { return }
    if end.status.isGivenUp, !table[index].isKilled { return }
    count(end, index)
    if end.status == .outlives {
      guard case .stopping = table[index].phase else { return }
    }
    if let pause = table[index].pause {
      table[index].paused = table[index].paused + (now - pause.since)
    }
    switch table[index].verdict(on: end, backOff: BackOff(seed: configuration.retrySeed)) {
    case .ended(let outcome, let reason):
      self.end(index, outcome, reason, end, at: now)
    case .again(let reason, let delay, let failed):
      // What has begun on a machine has its files there.
      if table[index].hasBegun { table[index].isBound = true }
      if !table[index].isBound { table[index].machine = nil }
      table[index].countTime(until: now)
      // An attempt after an expiry gets its full time again.
      if table[index].isExpiring { table[index].spent = .zero }
      leaveMachine(index)
      table[index].attempt += 1
      table[index].pauseMark = 0
      if failed { table[index].failures += 1 }
      if delay == .zero {
        enterLine(index, announcing: .queued, at: now)
      } else {
        self.delay(index, until: now + delay, reason)
      }
    }
  }

  /// Ends a job, waiting or active: announces it, releases its resources, and forgets it.
  ///
  /// `end`: that of its last attempt. If the process of a hosted job continues, the resources are released when
  /// the process lets go.
  mutating func end(
    _ index: Int, _ outcome: Outcome, _ reason: StopReason?, _ end: RunEnd? = nil, at now: Instant
  ) {
    let number = table[index].number
    outbox.announce(number, .ended, .ended(outcome, reason))
    noteFailure(index, outcome)
    countEnd(index, outcome, reason, end)
    var heir: JobNumber?
    switch table[index].phase {
    case .inLine, .delayed, .awaiting, .scheduled, .held: leaveWaiting(index)
    case .after(let predecessor):
      delayed.remove(number)
      heir = predecessor
      if let before = table.index(of: predecessor) { table[before].successor = nil }
    case .launching, .away, .running, .stalled, .paused, .stopping:
      if end?.lingers == true { linger(index) } else { leaveMachine(index) }
    }
    let successor = table[index].successor
    requests.remove(number)
    prerequisites.remove(number)
    if prerequisites.isAwaited(number) { awaitedEnds.append((number, outcome)) }
    deadlines.set(nil, at: index)
    let lane = lane(index)
    if table[index].submission.options.isWide { wideCount -= 1 }
    if table[index].submission.options.requirements.whenIdle { idleSeekers -= 1 }
    table.remove(at: index, heir: heir)
    leaveLane(lane)
    admissionDue = true
    if let successor, let next = table.index(of: successor) { endDelay(next, at: now) }
  }

  /// Releases slot, GPUs and reservations.
  mutating func leaveMachine(_ index: Int) {
    var lease = table[index].lease
    release(&lease)
    table[index].lease = lease
    active.remove(table[index].number)
    resuming.remove(table[index].number)
    conditioned.remove(table[index].number)
    table[index].ignoresConditions = false
    noteSlots(of: lane(index))
    admissionDue = true
  }
}

extension RunEnd.Status {
  /// The end is unconfirmed; only a killed job is given up in this state.
  fileprivate var isGivenUp: Bool {
    if case .engine(.unseen) = self { true } else { false }
  }
}
