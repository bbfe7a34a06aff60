// Jobs of a group share the group's slots, and jobs of an engine those of the engine: each has its own waiting
// line. All other resources are shared, so that a job that waits for a GPU holds back all later jobs that need
// one.
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

  /// The machine's owner sets other numbers of slots for groups.
  mutating func setSlots(of groups: [GroupName: Int]) {
    lanes.setSlots(of: groups)
    slotsTaken = [:]
    admissionDue = true
  }

  /// Pauses all starts in a group (running jobs continue), or allows them again.
  mutating func pauseGroup(_ group: GroupName, _ isPaused: Bool) {
    if isPaused { pausedGroups.insert(group) } else { pausedGroups.remove(group) }
    admissionDue = true
  }

  func isPaused(lane: Int) -> Bool {
    guard !pausedGroups.isEmpty, let group = lanes.lanes[lane].owner.group else {
      return false
    }
    return pausedGroups.contains(group)
  }

  /// Whether a live job is in the selection; nil = all jobs are.
  func isMeant(_ number: JobNumber, by some: JobSelection?) -> Bool {
    guard let some else { return true }
    return some.contains(
      number, of: table.index(of: number).flatMap { table[$0].submission.options.group })
  }

  func lane(_ index: Int) -> Int { Int(table[index].lane) }

  /// Takes a job into the table and into its lane.
  mutating func insert(_ job: consuming Job) -> Int {
    let options = job.submission.options
    job.lane = Int32(lanes.enter(options.lane, slots: options.groupSlots))
    if options.isWide { wideCount += 1 }
    while lines.count <= Int(job.lane) { lines.append(WaitingLine()) }
    if job.submission.options.requirements.whenIdle { idleSeekers += 1 }
    return table.insert(job)
  }

  /// A job, or the resources it held after its end, left a lane; an empty lane may be reused.
  mutating func leaveLane(_ lane: Int) {
    lanes.leave(lane)
    slotsTaken[lane] = nil
  }

  /// The slot holders of a lane changed, and with them those of its engine.
  mutating func noteSlots(of lane: Int) {
    slotsTaken[lane] = nil
    if !lanes.pools.isEmpty { return slotsTaken.removeAll() }
    guard lanes.lanes[lane].owner.engine != nil else { return }
    let owner = lanes.lanes[lane].owner
    for other in Array(slotsTaken.keys) where lanes.shares(other, with: owner) {
      slotsTaken[other] = nil
    }
  }

  /// What the first of a row needs of this machine, and no other can give.
  func needsHere(of head: Head) -> ResourceSet { needsHere(of: head.row, in: head.lane) }

  private func needsHere(of row: LineRow, in lane: Int) -> ResourceSet {
    lanes.lanes[lane].owner.engine == nil ? row.needs : []
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
    isOpen(lane) && lanes.slotsFree(in: lane) > slotsKept.count { $0.lane == lane }
  }

  /// A job was started from the line, in place of others of its group or engine and of others with the same
  /// needs.
  mutating func noteStart(_ index: Int, at now: Instant) {
    let (row, owner) = (table[index].row, table[index].submission.options.lane)
    let needs = needsHere(of: row, in: self.lane(index))
    for lane in lines.indices {
      if lane == self.lane(index) {
        lines[lane].noteStart(of: table[index].place, row, at: now)
      } else {
        let sharesSlots = lanes.shares(lane, with: owner)
        let isHere = lanes.lanes[lane].owner.engine == nil
        lines[lane].noteOvertaking(by: row) {
          sharesSlots || isHere && !$0.needs.isDisjoint(with: needs)
        }
      }
    }
  }
}
