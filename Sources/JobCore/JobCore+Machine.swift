extension JobCore {
  /// The probes looked again: what waits may start now, or may have become impossible.
  mutating func take(_ facts: MachineFacts, at now: Instant) {
    probeAskedAt = nil
    probeOverdue = false
    if ledger.take(facts, at: now) { refuseImpossible(at: now) }
    judgeConditions(at: now)
    admissionDue = true
  }

  /// Ends what waits for more than the machine has altogether; looks at each waiting job, but only
  /// when what the machine has changed.
  private mutating func refuseImpossible(at now: Instant) {
    for number in queuedNumbers {
      guard let place = table.place(of: number) else { continue }
      let demand = table[place].submission.requirements
      guard !demand.isEmpty, let why = ledger.impossibility(of: demand) else { continue }
      end(place, .refused, StopReason(.requirementLost, why), at: now)
    }
  }
}
