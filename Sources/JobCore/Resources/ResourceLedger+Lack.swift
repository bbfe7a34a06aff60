extension ResourceLedger {
  /// The resource that our own running jobs hold and `demand` needs; certain, however old the facts are.
  ///
  /// Nil if the machine itself has too little: that may change, and only a probe can tell.
  func ownLack(of demand: Requirements) -> Lack? {
    guard let facts else { return nil }
    if lacksLeasedGPUs(demand, facts) { return .gpuLeased }
    return lacksReservedMemory(demand, facts) ? .memoryReserved : nil
  }

  private func lacksLeasedGPUs(_ demand: Requirements, _ facts: MachineFacts) -> Bool {
    guard demand.gpuCount > 0 else { return false }
    let suitable = facts.gpus.filter { $0.memoryTotalBytes >= demand.gpuMemoryBytes }
    return suitable.count >= demand.gpuCount
      && suitable.filter { leases[$0.uuid] == nil }.count < demand.gpuCount
  }

  private func lacksReservedMemory(_ demand: Requirements, _ facts: MachineFacts) -> Bool {
    demand.memoryBytes > 0 && demand.memoryBytes <= facts.memoryTotalBytes
      && memoryReserved.addedHeld(demand.memoryBytes) > facts.memoryTotalBytes
  }

  /// Everything but slots that `demand` lacks; the empty set = it may start.
  ///
  /// `agesMatter` is false for a job that starts now or never: it is judged by the last facts, however
  /// old.
  func lacking(_ demand: Requirements, at now: Instant, agesMatter: Bool = true) -> ResourceSet {
    let needs = demand.resources
    if needs.isEmpty { return [] }
    guard let facts, !agesMatter || isRecent(at: now) else { return needs }
    var lacking = measuredLacking(demand, facts)
    // Both: a job behind one of them must keep waiting when the other is lacking, too.
    if lacksLeasedGPUs(demand, facts) { lacking.insert(.gpu) }
    if lacksReservedMemory(demand, facts) { lacking.insert(.memory) }
    return lacking
  }

  /// The first measured resource that `demand` lacks; nil when it lacks none.
  func measuredLack(of demand: Requirements, at now: Instant, agesMatter: Bool = true) -> Lack? {
    let needs = demand.resources
    if needs.isEmpty { return nil }
    guard let facts, !agesMatter || isRecent(at: now) else { return .unknown(needs) }
    let lacking = measuredLacking(demand, facts)
    if lacking.contains(.gpu) { return isDoubtful(for: demand, facts) ? .unknown(.gpu) : .gpu }
    if lacking.contains(.memory) { return .memory }
    if lacking.contains(.disk) { return .disk }
    if lacking.contains(.network) { return .network }
    return lacking.contains(.power) ? .power : nil
  }

  /// Whether enough GPUs may be free, if those measured while leased are.
  private func isDoubtful(for demand: Requirements, _ facts: MachineFacts) -> Bool {
    let possible = facts.gpus.filter { gpu in
      isFree(gpu, for: demand)
        || (clouded.contains(gpu.uuid) && leases[gpu.uuid] == nil
          && gpu.memoryTotalBytes >= demand.gpuMemoryBytes)
    }
    return possible.count >= demand.gpuCount
  }

  /// Whether the facts are young enough to start a job that has waited.
  func isRecent(at now: Instant) -> Bool {
    factsAt.map { now - $0 <= factsKeep } ?? false
  }

  private func measuredLacking(_ demand: Requirements, _ facts: MachineFacts) -> ResourceSet {
    var lacking: ResourceSet = []
    if demand.gpuCount > 0,
      facts.gpus.filter({ isFree($0, for: demand) }).count < demand.gpuCount
    {
      lacking.insert(.gpu)
    }
    if demand.memoryBytes > 0, facts.memoryTotalBytes > 0,
      demand.memoryBytes.addedHeld(memoryGranted) > facts.memoryAvailableBytes
    {
      lacking.insert(.memory)
    }
    if demand.diskBytes > 0, facts.diskTotalBytes > 0,
      demand.diskBytes.addedHeld(diskGranted) > facts.diskFreeBytes
    {
      lacking.insert(.disk)
    }
    if demand.network, !facts.network.holds { lacking.insert(.network) }
    if demand.power, !facts.power.holds { lacking.insert(.power) }
    return lacking
  }
}
