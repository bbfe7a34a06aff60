// Groups of jobs share slots of their own, and so do those of an engine: what waits for them stands in a
// line of its own. Everything else of the machine is shared by all, so that who waits for a GPU holds back
// all later jobs that need one.
extension Scheduler {
  /// The first job of a row in the line of a group.
  struct Head: Sendable {
    let lane: Int
    let row: LineRow
    let rank: WaitingLine.Rank

    var number: JobNumber { rank.place.number }
  }

  /// Rows of the lines, by lane.
  struct OpenRows {
    var rows: [RowSet]

    mutating func close(_ head: Head) { rows[head.lane].remove(head.row) }

    mutating func closeLane(_ lane: Int) { rows[lane] = RowSet() }
  }

  /// The owner of the machine wants groups to have other numbers of slots.
  mutating func setSlots(of groups: [GroupName: Int]) {
    ledger.lanes.setSlots(of: groups)
    slotsTaken = [:]
    admissionDue = true
  }

  /// Nothing of a group starts any more (what runs goes on), or everything may again.
  mutating func pauseGroup(_ group: GroupName, _ isPaused: Bool) {
    if isPaused { pausedGroups.insert(group) } else { pausedGroups.remove(group) }
    admissionDue = true
  }

  func isPaused(lane: Int) -> Bool {
    guard !pausedGroups.isEmpty, let group = ledger.lanes.lanes[lane].owner.group else {
      return false
    }
    return pausedGroups.contains(group)
  }

  /// Whether a live job is one of those; nil = all of them.
  func isMeant(_ number: JobNumber, by some: JobSelection?) -> Bool {
    guard let some else { return true }
    return some.contains(
      number, of: table.index(of: number).flatMap { table[$0].submission.options.group })
  }

  func lane(_ index: Int) -> Int { Int(table[index].lane) }

  /// Takes a job into the table and into its lane.
  mutating func insert(_ job: consuming Job) -> Int {
    let options = job.submission.options
    job.lane = Int32(ledger.lanes.enter(options.lane, slots: options.groupSlots))
    if options.isWide { wideCount += 1 }
    while lines.count <= Int(job.lane) { lines.append(WaitingLine()) }
    if job.submission.options.requirements.whenIdle { idleSeekers += 1 }
    return table.insert(job)
  }

  /// A job, or what it held after its end, is gone from a lane, which may be given to others.
  mutating func leaveLane(_ lane: Int) {
    ledger.lanes.leave(lane)
    slotsTaken[lane] = nil
  }

  /// Who has the slots of a lane is different now, and with that who has those of its engine.
  mutating func noteSlots(of lane: Int) {
    slotsTaken[lane] = nil
    guard ledger.lanes.lanes[lane].owner.engine != nil else { return }
    let owner = ledger.lanes.lanes[lane].owner
    for other in Array(slotsTaken.keys) where ledger.lanes.shares(other, with: owner) {
      slotsTaken[other] = nil
    }
  }

  var openRows: OpenRows { OpenRows(rows: lines.map { $0.occupied }) }

  /// The next to start of the open rows, in the lanes that count.
  func foremost(of open: OpenRows, where counts: (Int) -> Bool = { _ in true }) -> Head? {
    var foremost: Head?
    for lane in open.rows.indices where !open.rows[lane].isEmpty && counts(lane) {
      guard let (row, rank) = lines[lane].foremost(of: open.rows[lane]) else { continue }
      if let best = foremost, best.rank < rank { continue }
      foremost = Head(lane: lane, row: row, rank: rank)
    }
    return foremost
  }

  /// Whether a lane may start something in a slot that is not kept for a job.
  func hasSlot(_ lane: Int) -> Bool {
    isOpen(lane) && ledger.lanes.slotsFree(in: lane) > slotsKept.count { $0.lane == lane }
  }

  /// A job was started out of the line: in place of those of its group or engine, and of others that need
  /// the same.
  mutating func noteStart(_ index: Int, at now: Instant) {
    let (row, owner) = (table[index].row, table[index].submission.options.lane)
    for lane in lines.indices {
      if lane == self.lane(index) {
        lines[lane].noteStart(of: table[index].place, row, at: now)
      } else {
        let sharesSlots = ledger.lanes.shares(lane, with: owner)
        lines[lane].noteOvertaking(by: row) {
          sharesSlots || !$0.needs.isDisjoint(with: row.needs)
        }
      }
    }
  }
}
