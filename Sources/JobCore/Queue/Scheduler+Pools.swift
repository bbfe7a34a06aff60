// A job of a pool waits in the line of the pool, and starts on the machine where what it requires leaves least
// unused. A host is a pool of one for jobs that require something of it.
extension Scheduler {
  /// The machines of which one is chosen for a job; nil = nothing is to be chosen or counted.
  ///
  /// A job that has begun stays with its machine.
  func pool(of options: Submission.Options, boundTo machine: String? = nil) -> [String]? {
    guard let engine = options.engine, let machines = lanes.pools[engine] else { return nil }
    if let machine { return [machine] }
    if machines == [engine], options.requirements.resources.isEmpty,
      !options.requirements.isCounted, !options.isExclusive
    {
      return nil
    }
    return machines
  }

  func pool(ofJobAt index: Int) -> [String]? {
    if lanes.pools.isEmpty { return nil }
    return pool(of: table[index].submission.options, boundTo: table[index].machine)
  }

  func ledger(of machine: String) -> ResourceLedger? {
    machine == MachineName.here ? ledger : machines[machine]?.ledger
  }

  /// What keeps a job from starting on each of `machines`; `beyondSlots`: a person starts it now.
  func lacks(
    of options: Submission.Options, on machines: [String], beside held: HeldResources? = nil,
    agesMatter: Bool = true, beyondSlots: Bool = false, at now: Instant
  ) -> [MachineLack] {
    let share = self.share(of: options, boundTo: machines.count == 1 ? machines[0] : nil)
    return machines.map { machine in
      var lack = self.lack(
        of: options, share, on: machine, agesMatter: agesMatter, beyondSlots: beyondSlots, at: now)
      if lack == nil, let held {
        let shared = held[machine].intersection(options.requirements.resources)
        if !shared.isEmpty { lack = .kept(shared) }
      }
      return MachineLack(machine: machine, lack: lack)
    }
  }

  private func lack(
    of options: Submission.Options, _ share: SlotShare, on machine: String, agesMatter: Bool,
    beyondSlots: Bool, at now: Instant
  ) -> Lack? {
    let demand = options.requirements
    if machine != MachineName.here {
      guard let other = machines[machine] else { return .silent("it is not configured") }
      if let why = other.silence { return .silent(why) }
      if !other.isReached { return .unknown([]) }
    }
    guard let ledger = self.ledger(of: machine) else { return .unknown([]) }
    if ledger.impossibility(of: demand) != nil { return .never }
    if let own = ledger.ownLack(of: demand) { return own }
    if let need = ledger.shortage(of: demand) { return .counted(need) }
    if !beyondSlots, !hasRoom(for: share, on: machine) { return .slots }
    return ledger.measuredLack(of: demand, at: now, agesMatter: agesMatter)
  }

  /// The machine on which a job starts best: what it requires leaves least unused there, then the least loaded,
  /// then the first; nil = none can take it.
  func choice(among lacks: [MachineLack], for options: Submission.Options) -> String? {
    var best: (machine: String, spare: [UInt64])?
    for candidate in lacks where candidate.lack == nil {
      let machine = candidate.machine
      let spare = ledger(of: machine)?.spare(for: options.requirements) ?? []
      if let other = best {
        if other.spare.lexicographicallyPrecedes(spare) { continue }
        if other.spare == spare, !isLessLoaded(machine, than: other.machine) { continue }
      }
      best = (machine, spare)
    }
    return best?.machine
  }

  private func isLessLoaded(_ machine: String, than other: String) -> Bool {
    lanes.slotsUsed(on: machine) * lanes.slots(on: other)
      < lanes.slotsUsed(on: other) * lanes.slots(on: machine)
  }

  /// Where to start a job at once, even beyond the slots if it must be.
  func choiceNow(_ index: Int, at now: Instant) -> String? {
    guard let machines = pool(ofJobAt: index) else { return nil }
    let options = table[index].submission.options
    for beyondSlots in [false, true] {
      let lacks = self.lacks(
        of: options, on: machines, agesMatter: false, beyondSlots: beyondSlots, at: now)
      if let machine = choice(among: lacks, for: options) { return machine }
    }
    return nil
  }

  /// What a waiting job holds back on each machine, as one on a single machine does.
  func hold(
    _ lacks: [MachineLack], of demand: Requirements, _ held: inout HeldResources, at now: Instant
  ) {
    for entry in lacks where entry.lack?.holdsBack ?? false {
      guard let ledger = self.ledger(of: entry.machine) else { continue }
      held[entry.machine].formUnion(ledger.lacking(demand, at: now))
    }
  }

  /// Whether a slot is kept for a job of a pool until a machine has told what it has.
  func keepsSlot(_ lacks: [MachineLack]) -> Bool {
    lacks.contains { entry in
      guard case .unknown(let needs) = entry.lack, !needs.isEmpty else { return false }
      return entry.machine == MachineName.here
        ? !probeOverdue : !(machines[entry.machine]?.isOverdue ?? true)
    }
  }

  /// The lack of a job of a pool, in the order of `lack(of:before:at:)`; nil = a machine can take it.
  func lack(
    of options: Submission.Options, among machines: [String], before rank: WaitingLine.Rank,
    agesMatter: Bool, at now: Instant
  ) -> Lack? {
    let share = self.share(of: options)
    if isGroupFull(for: share, options.lane) { return .slots }
    let needs = options.requirements.resources
    let lacks = self.lacks(of: options, on: machines, agesMatter: agesMatter, at: now).map {
      entry in
      guard entry.lack == nil, !needs.isEmpty else { return entry }
      return MachineLack(
        machine: entry.machine, lack: turn(of: needs, before: rank, on: entry.machine, at: now))
    }
    if lacks.allSatisfy({ $0.lack != nil }) {
      return .noMachine(options.engine ?? MachineName.here, lacks)
    }
    return lackOfKeptSlots(options, before: rank, at: now)
  }

  /// Whether it is the group, and not the machines, that has no slot left.
  private func isGroupFull(for share: SlotShare, _ owner: LaneOwner) -> Bool {
    guard owner.group != nil, let lane = lanes.lane(of: owner) else { return false }
    return lanes.slots(of: owner) - lanes.lanes[lane].slotsUsed < Int(share.slots)
  }

  /// The bar of a job that no machine with a free slot has the processors for; others pass it.
  func countedBar(on options: Submission.Options, among machines: [String]) -> Bar? {
    let share = self.share(of: options)
    var isShort = false
    for machine in machines {
      if machine != MachineName.here, !(self.machines[machine]?.isReached ?? false) { continue }
      guard let ledger = self.ledger(of: machine), hasRoom(for: share, on: machine),
        ledger.impossibility(of: options.requirements) == nil
      else { continue }
      if ledger.shortage(of: options.requirements) == nil { return nil }
      isShort = true
    }
    guard isShort else { return nil }
    let lacks = self.lacks(of: options, on: machines, at: latest)
    return .counted(sentence(for: lacks, of: options.requirements, in: options.engine ?? ""))
  }

  /// The bar of a job that stays with its machine, which cannot take it now; others pass it.
  func barOfMachine(_ index: Int) -> Bar? {
    let options = table[index].submission.options
    guard let machines = pool(ofJobAt: index) else { return nil }
    let lacks = self.lacks(of: options, on: machines, at: latest)
    if lacks.contains(where: { $0.lack == nil }) { return nil }
    let lack = Lack.noMachine(options.engine ?? "", lacks)
    return .machine(PendingReason(lack.code, sentence(for: lack, options.requirements)))
  }

  /// Its sort, for the jobs that are passed over with it.
  func sort(_ index: Int) -> JobSort {
    var sort = table[index].terms.sort
    sort.machine = table[index].machine
    return sort
  }

  /// Puts jobs of pools that lacked processors, or their machine, back in line, no more than could start.
  mutating func recallPooled(at now: Instant) {
    for lane in lines.indices where isOpen(lane) {
      guard let engine = lanes.lanes[lane].owner.engine, let machines = lanes.pools[engine] else {
        continue
      }
      for sort in lines[lane].sortsAside
      where (!sort.counted.isEmpty || sort.machine != nil) && !isBarred(sort) {
        let machines = sort.machine.map { [$0] } ?? machines
        let most = machines.reduce(0) { $0 + capacity(of: $1, for: sort.counted) }
        lines[lane].recall(sort, atMost: most, at: now)
      }
    }
  }

  private func capacity(of machine: String, for needs: [CountedNeed]) -> Int {
    guard let ledger = self.ledger(of: machine) else { return 0 }
    return needs.reduce(lanes.slotsFree(on: machine)) {
      min($0, max(0, ledger.free(of: $1.name) / max(1, $1.count)))
    }
  }

  /// Why no machine that a job may run on can ever provide what it requires; nil when one may.
  func impossibility(
    of options: Submission.Options, boundTo machine: String? = nil, isWaiting: Bool = false
  ) -> String? {
    guard let machines = pool(of: options, boundTo: machine) else {
      return ledger.impossibility(of: options.demandHere, isWaiting: isWaiting)
    }
    let demand = options.requirements
    var best: (figures: [UInt64], why: String)?
    for machine in machines {
      guard let ledger = self.ledger(of: machine), let facts = ledger.facts,
        let why = ledger.impossibility(of: demand, machine, isWaiting: isWaiting)
      else { return nil }
      let figures = facts.figures(for: demand)
      if let best, !best.figures.lexicographicallyPrecedes(figures) { continue }
      best = (figures, why)
    }
    guard let best else { return nil }
    guard machines.count > 1 else { return best.why }
    return "no member of \(options.engine ?? "") can ever run it: \(best.why)"
  }
}

extension MachineFacts {
  /// What it has of what is required, as far as that is enough.
  fileprivate func figures(for demand: Requirements) -> [UInt64] {
    [
      UInt64(min(gpus.count, demand.gpuCount)),
      min(gpus.map { $0.memoryTotalBytes }.max() ?? 0, demand.gpuMemoryBytes),
      UInt64(max(0, min(processors, demand.processors))),
      min(memoryTotalBytes, demand.memoryBytes), min(diskTotalBytes, demand.diskBytes),
    ]
  }
}
