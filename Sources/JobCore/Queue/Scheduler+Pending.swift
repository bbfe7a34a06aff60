extension Scheduler {
  /// The lack that keeps a queued job from starting; nil when there is none.
  func lack(ofJobAt index: Int, at now: Instant) -> Lack? {
    if !isPaused, let bar = bar(on: index) { return .barred(bar) }
    return lack(
      of: table[index].submission.options, boundTo: table[index].machine, before: rank(index),
      at: now)
  }

  /// The lack that keeps a job with these options from starting, if it is queued at `rank` or would be.
  ///
  /// See `ResourceLedger.lacking(_:at:agesMatter:)` for the ages.
  func lack(
    of options: Submission.Options, boundTo machine: String? = nil,
    before rank: WaitingLine.Rank, at now: Instant, agesMatter: Bool = true
  ) -> Lack? {
    if isPaused { return .runnerPaused }
    if let group = options.group, pausedGroups.contains(group) { return .groupPaused(group) }
    if let machines = pool(of: options, boundTo: machine) {
      return lack(
        of: options, among: machines, before: rank, agesMatter: agesMatter, at: now)
    }
    let demand = options.demandHere
    let share = share(of: options)
    if let own = ledger.ownLack(of: demand) { return own }
    if !hasRoom(for: share, of: options.lane) {
      return lackBesideSlots(of: demand, at: now) ?? .slots
    }
    let needs = demand.resources
    if !needs.isEmpty {
      let lack =
        ledger.measuredLack(of: demand, at: now, agesMatter: agesMatter)
        ?? turn(of: needs, before: rank, at: now)
      if let lack { return lack }
    }
    return lackOfKeptSlots(options, before: rank, at: now)
  }

  /// The job for which the free slots are kept.
  func lackOfKeptSlots(
    _ options: Submission.Options, before rank: WaitingLine.Rank, at now: Instant
  ) -> Lack? {
    let share = self.share(of: options)
    if let number = wideHead(before: rank, in: options.lane, at: now) { return .slotsLeft(number) }
    guard let lane = lanes.lane(of: options.lane), !hasRoom(for: share, lane, before: rank),
      let first = slotsKept.first(where: { $0.lane == lane })
    else { return nil }
    return .slotKept(first.number)
  }

  /// The resource that a job would lack even with a slot, if the facts are recent.
  private func lackBesideSlots(of demand: Requirements, at now: Instant) -> Lack? {
    guard !demand.resources.isEmpty, ledger.isRecent(at: now),
      let lack = ledger.measuredLack(of: demand, at: now), !lack.isUnknown
    else { return nil }
    return lack
  }

  /// Whether a group has a slot for the job at `rank`, beside those kept for jobs ahead of it.
  private func hasRoom(
    for share: SlotShare = SlotShare(), _ lane: Int, before rank: WaitingLine.Rank
  ) -> Bool {
    hasRoom(
      for: share, of: lanes.lanes[lane].owner,
      beside: slotsKept.count { $0.lane == lane && $0.rank < rank })
  }

  func rank(_ index: Int) -> WaitingLine.Rank {
    lines[lane(index)].rank(of: table[index].place, table[index].row)
  }

  /// Where a job would stand that came into the line now.
  func rankOfNewcomer(_ submission: Submission) -> WaitingLine.Rank {
    let options = submission.options
    let (place, row) = (
      Place(nextNumber), LineRow(options.priority, options.requirements.resources)
    )
    let lane = lanes.lane(of: options.lane)
    return lane.map { lines[$0].rank(of: place, row) } ?? WaitingLine().rank(of: place, row)
  }

  /// The job ahead that waits for one of `needs` on a machine; nil when none does.
  func turn(
    of needs: ResourceSet, before rank: WaitingLine.Rank, on machine: String = MachineName.here,
    at now: Instant
  ) -> Lack? {
    var open = openRows
    var held = HeldResources()
    while let head = foremost(of: open) {
      if head.rank >= rank { return nil }
      open.close(head)
      guard needsHere(of: head).isDisjoint(with: held[MachineName.here]),
        let index = table.index(of: head.number), !isPaused(lane: head.lane),
        hasRoom(head.lane, before: head.rank)
      else { continue }
      hold(index, &held, at: now)
      let shared = held[machine].intersection(needs)
      if !shared.isEmpty {
        let isMoreUrgent = head.rank.stage > 0 && head.rank.stage < rank.stage
        return .behind(head.number, shared, isMoreUrgent: isMoreUrgent)
      }
    }
    return nil
  }

  /// Holds back what a job waits for, unless it could start.
  private func hold(_ index: Int, _ held: inout HeldResources, at now: Instant) {
    let options = table[index].submission.options
    guard let machines = pool(ofJobAt: index) else {
      held[MachineName.here].formUnion(ledger.lacking(options.demandHere, at: now))
      return
    }
    if options.requirements.resources.isEmpty { return }
    let lacks = self.lacks(of: options, on: machines, beside: held, at: now)
    guard lacks.allSatisfy({ $0.lack != nil }) else { return }
    hold(lacks, of: options.requirements, &held, at: now)
  }

  /// A queued job that could start now because the event released resources; with a submission, one that is
  /// ahead of it and takes its slot or its resources.
  func firstReady(inWayOf submission: Submission? = nil, at now: Instant) -> JobNumber? {
    if isShuttingDown || isPaused { return nil }
    let rank = submission.map { rankOfNewcomer($0) }
    var open = openRows
    while let head = foremost(of: open, where: { isOpen($0) }) {
      if let rank, head.rank >= rank { return nil }
      open.close(head)
      guard let index = table.index(of: head.number), lack(ofJobAt: index, at: now) == nil
      else { continue }
      guard let submission else { return head.number }
      let options = submission.options
      if lanes.shares(head.lane, with: options.lane)
        || !options.demandHere.resources.isDisjoint(with: needsHere(of: head))
      {
        return head.number
      }
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
