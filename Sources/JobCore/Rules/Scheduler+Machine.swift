extension Scheduler {
  /// The machine's owner sets another number of slots: with more slots others start at once; with fewer,
  /// running jobs keep theirs.
  mutating func setSlots(_ count: Int) {
    lanes.setSlots(count)
    slotsTaken = [:]
    admissionDue = true
  }

  /// A probe finished: waiting jobs may start now, or may have become impossible.
  mutating func apply(_ facts: MachineFacts, at now: Instant) {
    probeAskedAt = nil
    probeOverdue = false
    if ledger.apply(facts, at: now) { refuseImpossible(at: now) }
    judgeConditions(at: now)
    admissionDue = true
  }

  /// Ends jobs that need more than the machine's total; scans all waiting jobs, but only when the total
  /// changed.
  mutating func refuseImpossible(at now: Instant) {
    for number in queuedNumbers {
      guard let index = table.index(of: number) else { continue }
      let options = table[index].submission.options
      guard !options.requirements.isEmpty,
        let why = impossibility(of: options, boundTo: table[index].machine, isWaiting: true)
      else { continue }
      end(index, .refused, StopReason(.requirementLost, why), at: now)
    }
  }
}
