extension Scheduler {
  /// The tree of an attempt is gone: the job ends, or goes back to the queue.
  mutating func finish(_ number: JobNumber, attempt: Int, _ end: RunEnd, at now: Instant) {
    guard let place = table.place(of: number) else {
      if end.status != .outlives { letGo(number) }
      return
    }
    guard table[place].isActive, table[place].attempt == attempt else { return }
    if end.status == .outlives {
      guard case .stopping = table[place].phase else { return }
    }
    switch table[place].verdict(on: end, backOff: BackOff(seed: configuration.retrySeed)) {
    case .ended(let outcome, let reason):
      self.end(place, outcome, reason, lingers: end.lingers, at: now)
    case .again(let reason, let delay, let failed):
      table[place].countTime(until: now)
      leaveMachine(place)
      table[place].attempt += 1
      if failed { table[place].failures += 1 }
      if delay == .zero {
        enterLine(place, announcing: .queued, at: now)
      } else {
        self.delay(place, until: now + delay, reason)
      }
    }
  }

  /// Ends a job, waiting or active: announces it, gives back what it held, and forgets it.
  ///
  /// `lingers`: a hosted job whose process still has what it held; that is given back when the
  /// process lets go.
  mutating func end(
    _ place: Int, _ outcome: Outcome, _ reason: StopReason?, lingers: Bool = false, at now: Instant
  ) {
    let number = table[place].number
    outbox.announce(number, .ended, .ended(outcome, reason))
    var heir: JobNumber?
    switch table[place].phase {
    case .inLine, .delayed, .awaiting, .scheduled: leaveWaiting(place)
    case .after(let predecessor):
      delayed.remove(number)
      heir = predecessor
      if let before = table.place(of: predecessor) { table[before].successor = nil }
    case .launching, .running, .stalled, .stopping:
      if lingers { linger(place) } else { leaveMachine(place) }
    }
    let successor = table[place].successor
    requests.remove(number)
    prerequisites.remove(number)
    if prerequisites.isAwaited(number) { awaitedEnds.append((number, outcome)) }
    deadlines.set(nil, at: place)
    table.remove(at: place, heir: heir)
    admissionDue = true
    if let successor, let next = table.place(of: successor) { endDelay(next, at: now) }
  }

  /// Gives back slot, GPUs and reservations.
  mutating func leaveMachine(_ place: Int) {
    ledger.release(&table[place].lease)
    active.remove(table[place].number)
    conditioned.remove(table[place].number)
    table[place].ignoresConditions = false
    slotsTaken = nil
    admissionDue = true
  }
}
