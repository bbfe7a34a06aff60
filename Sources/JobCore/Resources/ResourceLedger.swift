/// A machine's resources, and the part that running jobs hold.
struct ResourceLedger: Sendable {
  /// By UUID of the GPU.
  private(set) var leases: [String: JobNumber] = [:]
  /// Bytes of main memory that running jobs reserved.
  private(set) var memoryReserved: UInt64 = 0
  var counted = CountedResources()

  /// The last result of the probes; nil before the first.
  private(set) var facts: MachineFacts?
  private(set) var factsAt: Instant?
  /// The maximum age of facts for starting a queued job on measured resources.
  let factsKeep: Interval
  /// Reserved since the facts were measured, and so not yet part of the measured usage.
  private(set) var memoryGranted: UInt64 = 0
  private(set) var diskGranted: UInt64 = 0
  /// GPUs that were measured while leased: the processes there were ours, so that their state is unknown once
  /// the lease ends.
  private(set) var clouded: Set<String> = []

  init(factsKeep: Interval) {
    self.factsKeep = factsKeep
  }

  /// Applies a probe's result; whether the machine's total resources changed.
  mutating func apply(_ new: MachineFacts, at now: Instant) -> Bool {
    var new = new
    var seen: Set<String> = []
    new.gpus.removeAll { !seen.insert($0.uuid).inserted }
    let old = facts
    facts = new
    factsAt = now
    memoryGranted = 0
    diskGranted = 0
    clouded = Set(leases.keys)
    return old.map { !$0.hasSameTotals(as: new) } ?? true
  }

  /// Takes everything that is demanded; nil when it is not there.
  mutating func grant(_ demand: Requirements, to number: JobNumber) -> Lease? {
    var lease = Lease()
    if demand.gpuCount > 0 {
      guard let gpus = choice(for: demand) else { return nil }
      lease.gpus = gpus
      for uuid in gpus { leases[uuid] = number }
    }
    reserve(demand, for: &lease)
    memoryGranted = memoryGranted.addedHeld(demand.memoryBytes)
    diskGranted = diskGranted.addedHeld(demand.diskBytes)
    return lease
  }

  /// Records the resources that a job of an earlier runner already holds, even beyond the total.
  mutating func adopt(
    _ demand: Requirements, gpus: [String], by number: JobNumber
  ) -> Lease {
    var lease = Lease()
    for uuid in gpus where leases[uuid] == nil {
      leases[uuid] = number
      clouded.insert(uuid)
      lease.gpus.append(uuid)
    }
    reserve(demand, for: &lease)
    return lease
  }

  private mutating func reserve(_ demand: Requirements, for lease: inout Lease) {
    lease.memoryBytes = demand.memoryBytes
    memoryReserved = memoryReserved.addedHeld(demand.memoryBytes)
    guard demand.isCounted else { return }
    lease.counted = demand.countedNeeds
    counted.take(lease.counted)
  }

  /// Takes back everything but the slot.
  mutating func release(_ lease: inout Lease) {
    for uuid in lease.gpus { leases[uuid] = nil }
    memoryReserved -= min(memoryReserved, lease.memoryBytes)
    counted.giveBack(lease.counted)
    lease = Lease()
  }

  /// Free GPUs for `demand`, the smallest that do; nil when there are too few.
  func choice(for demand: Requirements) -> [String]? {
    let free = (facts?.gpus ?? []).filter { isFree($0, for: demand) }
    guard free.count >= demand.gpuCount else { return nil }
    let indices = free.indices.sorted {
      (free[$0].memoryTotalBytes, $0) < (free[$1].memoryTotalBytes, $1)
    }
    return indices.prefix(demand.gpuCount).map { free[$0].uuid }
  }

  /// Whether a job with `demand` could have this GPU now.
  func isFree(_ gpu: GPU, for demand: Requirements) -> Bool {
    leases[gpu.uuid] == nil && !clouded.contains(gpu.uuid) && gpu.processes == 0
      && gpu.memoryFreeBytes >= demand.gpuMemoryBytes
  }
}

extension MachineFacts {
  /// Whether the totals that decide about impossible jobs are the same.
  fileprivate func hasSameTotals(as other: MachineFacts) -> Bool {
    processors == other.processors && memoryTotalBytes == other.memoryTotalBytes
      && diskTotalBytes == other.diskTotalBytes
      && gpus.map { $0.memoryTotalBytes } == other.gpus.map { $0.memoryTotalBytes }
      && gpusAreKnown == other.gpusAreKnown
  }
}

extension UInt64 {
  /// The sum, held at the largest value instead of trapping.
  package func addedHeld(_ other: UInt64) -> UInt64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
