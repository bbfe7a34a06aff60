extension Scheduler {
  /// A lack as a job's reason to wait.
  func reason(for lack: Lack, ofJobAt index: Int) -> PendingReason {
    guard case .slots = lack else {
      return PendingReason(
        lack.code, sentence(for: lack, table[index].submission.options.requirements))
    }
    let (lane, owner) = (lane(index), table[index].submission.options.lane)
    if let why = sentence(ofSlotsFor: table[index].submission.options) {
      return PendingReason(.slots, why)
    }
    let ahead =
      rank(index).stage == 0 ? 0 : lines[lane].count(above: table[index].row.priority)
    if ahead == 0, let told = slotsTaken[lane] { return told }
    var holders = currentSlotHolders(of: owner)
    holders.ahead = ahead
    return PendingReason(holders)
  }

  /// A lack in words: the missing resource and its holders; for slots, those of a lane.
  func sentence(
    for lack: Lack, _ demand: Requirements, of owner: LaneOwner = LaneOwner()
  ) -> String {
    switch lack {
    case .slots: currentSlotHolders(of: owner).sentence
    case .runnerPaused: Scheduler.pausedSentence
    case .groupPaused(let group):
      "group \(group) is paused; jobrun group \(group) --resume lets its jobs start"
    case .slotsLeft(let number):
      "job \(number) is ahead, and the free slots are kept until it has enough"
    case .barred(let bar): bar.sentence
    case .gpuLeased, .gpu: gpuSentence(demand)
    case .memoryReserved:
      "\(words(bytes: demand.memoryBytes)) of memory is needed, and running jobs reserved"
        + " \(words(bytes: ledger.memoryReserved))"
        + " of \(words(bytes: ledger.facts?.memoryTotalBytes ?? 0))"
    case .memory:
      "\(words(bytes: demand.memoryBytes)) of memory is needed, and"
        + " \(words(bytes: left(ledger.facts?.memoryAvailableBytes, ledger.memoryGranted))) are free"
    case .disk:
      "\(words(bytes: demand.diskBytes)) of disk space is needed, and"
        + " \(words(bytes: left(ledger.facts?.diskFreeBytes, ledger.diskGranted))) are free"
    case .network: sentence(ledger.facts?.network, "there is no network")
    case .power: sentence(ledger.facts?.power, "there is no external power")
    case .unknown(.gpu) where ledger.isRecent(at: latest): gpuSentence(demand)
    case .unknown: "the machine is being checked"
    case .noMachine(let pool, let lacks): sentence(for: lacks, of: demand, in: pool)
    case .counted(let need): sentence(for: need)
    case .never, .silent, .kept: "the machine is not available"
    case .slotKept(let number):
      "the next slot is kept for job \(number) while the machine is being checked"
    case .behind(let number, let resource, let isMoreUrgent):
      "job \(number) \(isMoreUrgent ? "has a higher priority" : "is ahead") and also waits for \(Scheduler.name(of: resource))"
    }
  }

  /// The current slot holders of a group, or the holders of an engine's places.
  func currentSlotHolders(of owner: LaneOwner) -> SlotHolders {
    var lane = lanes.lane(of: owner)
    var count = lane.map { lanes.lanes[$0].holders } ?? 0
    var owner = owner
    if let engine = owner.engine,
      lane.map({ lanes.lanes[$0].slotsUsed }) ?? 0 < lanes.slots(of: owner)
    {
      // The group has free slots, but its engine has no free place.
      (owner.group, lane) = (nil, nil)
      count = holders(on: engine)
    } else if owner == LaneOwner(), lanes.pooledHere > 0 {
      lane = nil
      count = holders(on: MachineName.here)
    }
    var holders = SlotHolders(slots: lanes.slots(of: owner), count: count, owner)
    func holds(_ lease: Lease) -> Bool {
      guard lease.hasSlot else { return false }
      return lane == nil
        ? occupies(lease, owner.engine ?? MachineName.here) : Int(lease.lane) == lane
    }
    active.visit { number in
      if let index = table.index(of: number), holds(table[index].lease) { holders.name(number) }
      return !holders.isFull
    }
    for (number, lease) in lingering where holds(lease) { holders.name(number) }
    return holders
  }

  /// Jobs that hold slots of an engine, of the machines of a pool, or here without a group.
  private func holders(on engine: String) -> Int {
    active.elements.count { number in
      table.index(of: number).map {
        table[$0].lease.hasSlot && occupies(table[$0].lease, engine)
      } ?? false
    } + lingering.values.count { $0.hasSlot && occupies($0, engine) }
  }

  private func occupies(_ lease: Lease, _ engine: String) -> Bool {
    let owner = lanes.lanes[Int(lease.lane)].owner
    let place = lease.machine ?? owner.engine ?? (owner.group == nil ? MachineName.here : nil)
    return place == engine
      || place.map { lanes.pools[engine]?.contains($0) ?? false } ?? false
  }

  /// The holders of the GPUs, up to four by name.
  private func gpuSentence(_ demand: Requirements) -> String {
    let gpus = ledger.facts?.gpus ?? []
    if gpus.isEmpty, let facts = ledger.facts {
      let what = facts.gpusAreKnown ? "this machine has no GPU now" : "the GPUs are not known"
      return "\(what): \(facts.gpuWhy)"
    }
    var clauses: [String] = []
    for (index, gpu) in gpus.enumerated() where !ledger.isFree(gpu, for: demand) {
      clauses.append("GPU \(index) (\(gpu.name)) \(holding(gpu, demand))")
    }
    let more = clauses.count > 4 ? " and \(clauses.count - 4) more are taken" : ""
    let shown = clauses.prefix(4).joined(separator: ", ") + more
    guard demand.gpuCount > 1 else { return shown }
    return "\(demand.gpuCount) GPUs are needed: \(shown)"
  }

  /// Why one GPU cannot be had.
  private func holding(_ gpu: GPU, _ demand: Requirements) -> String {
    if let holder = ledger.leases[gpu.uuid] {
      let isOver = lingering[holder] != nil
      return "is held by job \(holder)"
        + (isOver
          ? ", which has ended but left a process running" : fate(ofGPUHeldBy: holder))
    }
    if ledger.clouded.contains(gpu.uuid) { return "was just given back and is being checked" }
    if gpu.processes == 1 { return "is used by another process" }
    if gpu.processes > 1 { return "is used by \(gpu.processes) other processes" }
    return "has \(words(bytes: gpu.memoryFreeBytes)) of memory free,"
      + " and \(words(bytes: demand.gpuMemoryBytes)) are needed"
  }

  static let pausedSentence = "the runner is paused; jobrun runner resume lets jobs start again"

  private func sentence(_ condition: Condition?, _ what: String) -> String {
    guard let why = condition?.why, !why.isEmpty else { return what }
    return "\(what): \(why)"
  }

  private func left(_ free: UInt64?, _ granted: UInt64) -> UInt64 {
    let free = free ?? 0
    return free - min(free, granted)
  }

  private static func name(of resource: ResourceSet) -> String {
    if resource.contains(.gpu) { return "a GPU" }
    if resource.contains(.memory) { return "memory" }
    if resource.contains(.disk) { return "disk space" }
    return resource.contains(.network) ? "the network" : "external power"
  }
}
