// A job may take several slots, or run alone. If the next job to start lacks slots, it holds back later jobs in
// its line, or in all of them: otherwise smaller ones would take each slot that falls free.
extension Scheduler {
  /// A job's share of the slots.
  func share(of options: Submission.Options, boundTo machine: String? = nil) -> SlotShare {
    guard options.isWide else { return SlotShare() }
    let machines = pool(of: options, boundTo: machine)
    let largest = machines?.map { lanes.slots(on: $0) }.max() ?? .max
    let most = max(1, min(largest, lanes.slots(of: options.lane)))
    return SlotShare(
      slots: Int32(clamping: min(options.slots, most)),
      isAlone: options.isExclusive && (options.engine == nil || machines != nil))
  }

  /// What a job takes that is launched now.
  func share(ofJobAt index: Int) -> SlotShare {
    share(of: table[index].submission.options, boundTo: table[index].machine)
  }

  /// Whether its lane has enough slots, beside those that are kept for others.
  func hasRoom(for share: SlotShare, of owner: LaneOwner, beside kept: Int = 0) -> Bool {
    guard lanes.slotsFree(of: owner) - kept >= Int(share.slots) else { return false }
    if let machines = owner.engine.flatMap({ lanes.pools[$0] }) {
      return machines.contains { hasRoom(for: share, on: $0) }
    }
    return !share.isAlone || lanes.slotsUsedHere == 0
  }

  /// Whether a machine of a pool has enough slots.
  func hasRoom(for share: SlotShare, on machine: String) -> Bool {
    let used =
      machine == MachineName.here ? lanes.slotsUsedHere : lanes.slotsUsed(on: machine)
    if share.isAlone, used > 0 { return false }
    return lanes.slotsFree(on: machine) >= Int(share.slots)
  }

  /// Takes a slot of a lane for what a job holds.
  mutating func takeSlot(_ share: SlotShare, in lane: Int, for lease: inout Lease) {
    (lease.lane, lease.share) = (Int32(lane), share)
    lanes.takeSlot(for: &lease)
  }

  /// Takes back everything that a job holds, on whichever machine.
  mutating func release(_ lease: inout Lease) {
    lanes.releaseSlot(of: &lease)
    if let machine = lease.machine, machine != MachineName.here {
      machines[machine]?.ledger.release(&lease)
    } else {
      ledger.release(&lease)
    }
  }

  /// Whether a job that has everything but its slots could have them again.
  func hasRoomToGoOn(_ index: Int) -> Bool {
    var share = table[index].lease.share
    let owner = table[index].submission.options.lane
    share.slots = min(share.slots, Int32(clamping: max(1, lanes.slots(of: owner))))
    guard let machine = table[index].lease.machine else { return hasRoom(for: share, of: owner) }
    return lanes.slotsFree(of: owner) >= Int(share.slots) && hasRoom(for: share, on: machine)
  }

  /// The job ahead of `rank` that needs more slots than are free, so that those are kept for it.
  ///
  /// Judged by the last facts, however old: as they age, nothing happens that would admit the jobs behind it.
  func wideHead(before rank: WaitingLine.Rank, in owner: LaneOwner, at now: Instant) -> JobNumber? {
    guard wideCount > 0 else { return nil }
    if let number = firstToGoOn(in: owner) { return number }
    var open = openRows
    var heldBack: ResourceSet = []
    while let head = foremost(of: open, where: { isOpen($0) }) {
      if head.rank >= rank { return nil }
      open.close(head)
      guard needsHere(of: head).isDisjoint(with: heldBack),
        let index = table.index(of: head.number), bar(on: index) == nil
      else { continue }
      if table[index].machine != nil { continue }
      let options = table[index].submission.options
      let lacking = ledger.lacking(options.demandHere, at: now, agesMatter: false)
      heldBack.formUnion(lacking)
      if lacking.isEmpty, holdsBack(options, owner) { return head.number }
    }
    return nil
  }

  /// Whether a job for which there is no room keeps others in the line of `owner` from starting.
  private func holdsBack(_ options: Submission.Options, _ owner: LaneOwner) -> Bool {
    guard options.isWide else { return false }
    let share = share(of: options)
    let isAloneHere = share.isAlone && options.engine == nil
    guard isAloneHere ? owner.engine == nil : options.lane == owner else { return false }
    return !hasRoom(for: share, of: options.lane)
  }

  /// Closes the lines that are left to a job for which there is no room.
  func close(_ open: inout OpenRows, for options: Submission.Options) {
    for lane in open.rows.indices where holdsBack(options, lanes.lanes[lane].owner) {
      open.closeLane(lane)
    }
  }

  /// Whether anything of a lane may start if there is room for it.
  func isOpen(_ lane: Int) -> Bool {
    !isPaused(lane: lane) && lanes.slotsFree(in: lane) > 0
  }

  /// Why a job has no slots if it needs more than one, or if another job runs alone.
  func sentence(ofSlotsFor options: Submission.Options) -> String? {
    if options.engine == nil, let number = runningAlone {
      return "job \(number) runs exclusively; nothing else may start"
    }
    guard options.isWide else { return nil }
    let share = share(of: options)
    let free = lanes.slotsFree(of: options.lane)
    if share.isAlone, lanes.slotsUsedHere > 0 {
      let others = active.elements.filter { number in
        table.index(of: number).map { table[$0].engine == nil && table[$0].lease.hasSlot } ?? false
      }
      let verb = others.count == 1 ? "runs" : "run"
      return
        "it needs the machine for itself, and \(words(jobs: Array(others.prefix(3)), of: others.count)) \(verb)"
    }
    guard share.slots > 1, free > 0 else { return nil }
    let slots = lanes.slots(of: options.lane)
    return "it takes \(share.slots) slots, and \(free) of \(slots) \(free == 1 ? "is" : "are") free"
  }

  private var runningAlone: JobNumber? {
    guard lanes.alone > 0 else { return nil }
    return active.first(1) { number in
      table.index(of: number).map { table[$0].lease.hasSlot && table[$0].lease.share.isAlone }
        ?? false
    }.first ?? lingering.first { $0.value.hasSlot && $0.value.share.isAlone }?.key
  }

  /// Why there are too few slots altogether; nil when there are enough.
  func refusal(bySlotsFor options: Submission.Options) -> Refusal? {
    guard options.slots > 1 else { return nil }
    let brought = options.group == nil ? 0 : options.groupSlots
    let slots = max(lanes.slots(of: options.lane), brought)
    guard options.slots > slots else { return nil }
    let owner = options.group.map { "group \($0) has" } ?? "there \(slots == 1 ? "is" : "are")"
    let raise =
      options.group.map { "jobrun group \($0) --slots \(options.slots)" }
      ?? "jobrun slots \(options.slots)"
    return Refusal(
      .unavailable,
      "the job takes \(options.slots) slots, and \(owner) \(slots); \(raise) sets more")
  }
}

extension Submission.Options {
  /// Whether one slot that falls free may be too little for it.
  var isWide: Bool { slots > 1 || isExclusive }
}
