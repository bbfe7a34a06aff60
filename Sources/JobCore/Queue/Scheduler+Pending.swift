extension Scheduler {
  /// What keeps a job in the queue from starting; nil when nothing does.
  func lack(ofJobAt index: Int, at now: Instant) -> Lack? {
    if !isPaused, let bar = bar(on: table[index].terms) { return .barred(bar) }
    return lack(
      of: table[index].submission.options.requirements,
      before: line.rank(of: table[index].place, table[index].row), at: now)
  }

  /// What keeps a job with `demand` from starting that stands, or would stand, at `rank`.
  ///
  /// See `ResourceLedger.lacking(_:at:agesMatter:)` for the ages.
  func lack(
    of demand: Requirements, before rank: WaitingLine.Rank, at now: Instant,
    agesMatter: Bool = true
  ) -> Lack? {
    if isPaused { return .runnerPaused }
    if let own = ledger.ownLack(of: demand) { return own }
    if ledger.slotsFree == 0 { return .slots }
    let needs = demand.resources
    if !needs.isEmpty {
      let lack =
        ledger.measuredLack(of: demand, at: now, agesMatter: agesMatter)
        ?? turn(of: needs, before: rank, at: now)
      if let lack { return lack }
    }
    return slotKept(before: rank)
  }

  /// The job ahead for which the last free slot is kept; nil when there is one to have.
  private func slotKept(before rank: WaitingLine.Rank) -> Lack? {
    guard let first = slotsKept.first else { return nil }
    let ahead = slotsKept.count { $0 < rank }
    return ahead >= ledger.slotsFree ? .slotKept(first.place.number) : nil
  }

  /// Where a job would stand that came into the line now.
  func rankOfNewcomer(_ submission: Submission) -> WaitingLine.Rank {
    let demand = submission.options.requirements
    return line.rank(
      of: Place(nextNumber), LineRow(submission.options.priority, demand.resources))
  }

  /// The job ahead that waits for one of `needs`; nil when none does.
  private func turn(
    of needs: ResourceSet, before rank: WaitingLine.Rank, at now: Instant
  ) -> Lack? {
    var open = line.occupied
    var heldBack: ResourceSet = []
    while let (row, head) = line.foremost(of: open) {
      if head >= rank { return nil }
      open.remove(row)
      let number = head.place.number
      guard row.needs.isDisjoint(with: heldBack), let index = table.index(of: number) else {
        continue
      }
      let lacking = ledger.lacking(table[index].submission.options.requirements, at: now)
      let shared = lacking.intersection(needs)
      if !shared.isEmpty {
        return .behind(number, shared, isMoreUrgent: head.stage > 0 && head.stage < rank.stage)
      }
      heldBack.formUnion(lacking)
    }
    return nil
  }

  /// A job in line, ahead of `rank` if that is given, that could start at this instant, because the event
  /// made room.
  func firstReady(before rank: WaitingLine.Rank? = nil, at now: Instant) -> JobNumber? {
    guard ledger.slotsFree > 0, !isShuttingDown, !isPaused else { return nil }
    var open = line.occupied
    while let (row, head) = line.foremost(of: open) {
      if let rank, head >= rank { return nil }
      open.remove(row)
      guard let index = table.index(of: head.place.number) else { continue }
      if lack(ofJobAt: index, at: now) == nil { return head.place.number }
    }
    return nil
  }

  /// Why a job in line waits, in words.
  func reasonInLine(_ index: Int, at now: Instant) -> PendingReason {
    guard let lack = lack(ofJobAt: index, at: now) else {
      return Scheduler.startsNow
    }
    return reason(for: lack, ofJobAt: index)
  }

  /// Of a job that is accepted and starts in the same instant.
  static let startsNow = PendingReason(.slots, "a slot is free, and the job starts now")

  static func reason(after predecessor: JobNumber) -> PendingReason {
    PendingReason(.after, "waits for job \(predecessor) to stop")
  }
}
