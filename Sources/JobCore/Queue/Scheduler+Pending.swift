extension Scheduler {
  /// What keeps a job in the queue from starting; nil when nothing does.
  func lack(ofJobAt index: Int, at now: Instant) -> Lack? {
    lack(of: table[index].submission.options.requirements, before: table[index].number, at: now)
  }

  /// What keeps a job with `demand` from starting that stands before `number`, or last when that is
  /// nil.
  ///
  /// See `ResourceLedger.lacking(_:at:agesMatter:)` for the ages.
  func lack(
    of demand: Requirements, before number: JobNumber?, at now: Instant, agesMatter: Bool = true
  ) -> Lack? {
    if isHeld { return .held }
    if let own = ledger.ownLack(of: demand) { return own }
    if ledger.slotsFree == 0 { return .slots }
    let needs = demand.resources
    if !needs.isEmpty {
      let lack =
        ledger.measuredLack(of: demand, at: now, agesMatter: agesMatter)
        ?? turn(of: needs, before: number, at: now)
      if let lack { return lack }
    }
    return slotKept(before: number)
  }

  /// The earlier job for which the last free slot is kept; nil when there is one to have.
  private func slotKept(before number: JobNumber?) -> Lack? {
    guard let first = slotsKept.first else { return nil }
    let ahead = slotsKept.count { kept in number.map { kept < $0 } ?? true }
    return ahead >= ledger.slotsFree ? .slotKept(first) : nil
  }

  /// The earlier job that waits for one of `needs`; nil when none does.
  private func turn(of needs: ResourceSet, before number: JobNumber?, at now: Instant) -> Lack? {
    var open = line.occupied
    var heldBack: ResourceSet = []
    while let (row, head) = line.foremost(of: open) {
      if let number, head >= number { return nil }
      open &= ~(1 << row.rawValue)
      guard row.isDisjoint(with: heldBack), let index = table.index(of: head) else { continue }
      let lacking = ledger.lacking(table[index].submission.options.requirements, at: now)
      let shared = lacking.intersection(needs)
      if !shared.isEmpty { return .behind(head, shared) }
      heldBack.formUnion(lacking)
    }
    return nil
  }

  /// A job in line that could start at this instant, because the event made room.
  func firstReady(at now: Instant) -> JobNumber? {
    guard ledger.slotsFree > 0, !isShuttingDown, !isHeld else { return nil }
    var open = line.occupied
    while let (row, head) = line.foremost(of: open) {
      open &= ~(1 << row.rawValue)
      guard let index = table.index(of: head) else { continue }
      if lack(ofJobAt: index, at: now) == nil { return head }
    }
    return nil
  }

  /// Why a job in line waits, in words.
  func reasonInLine(_ index: Int, at now: Instant) -> PendingReason {
    guard let lack = lack(ofJobAt: index, at: now) else {
      return Scheduler.startsNow
    }
    return reason(for: lack, table[index].submission.options.requirements)
  }

  /// Of a job that is accepted and starts in the same instant.
  static let startsNow = PendingReason(.slots, "a slot is free, and the job starts now")

  static func reason(after predecessor: JobNumber) -> PendingReason {
    PendingReason(.after, "waits for job \(predecessor) to stop")
  }
}
