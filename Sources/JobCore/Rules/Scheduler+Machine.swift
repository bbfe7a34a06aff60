extension Scheduler {
  /// The owner of the machine wants another number of slots: with more of them others start at once,
  /// with fewer nothing is taken from what runs.
  mutating func setSlots(_ count: Int) {
    ledger.lanes.setSlots(count)
    slotsTaken = [:]
    admissionDue = true
  }

  /// The probes looked again: what waits may start now, or may have become impossible.
  mutating func apply(_ facts: MachineFacts, at now: Instant) {
    probeAskedAt = nil
    probeOverdue = false
    if ledger.apply(facts, at: now) { refuseImpossible(at: now) }
    judgeConditions(at: now)
    admissionDue = true
  }

  /// Ends what waits for more than the machine has altogether; looks at each waiting job, but only
  /// when what the machine has changed.
  mutating func refuseImpossible(at now: Instant) {
    for number in queuedNumbers {
      guard let index = table.index(of: number) else { continue }
      let demand = table[index].submission.options.demandHere
      guard !demand.isEmpty, let why = ledger.impossibility(of: demand) else { continue }
      end(index, .refused, StopReason(.requirementLost, why), at: now)
    }
  }
}
