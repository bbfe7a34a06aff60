package import JobCore
package import JobWire

/// Every probe but the GPU's, which needs a child: reads a dozen small files, in well under a
/// millisecond.
package struct MachineProbe: Sendable {
  private let stateDirectory: String
  private let tree: SystemTree

  /// `stateDirectory` is on the file system whose space is reported.
  package init(stateDirectory: String, tree: SystemTree = SystemTree()) {
    self.stateDirectory = stateDirectory
    self.tree = tree
  }

  /// Probes now; the GPUs are those of the last `GPUProbe` answer.
  package func read(gpus: GPUReading) -> MachineReading {
    MachineReading(
      gpus: gpus, power: PowerProbe().read(tree), network: NetworkProbe().read(tree),
      memory: MemoryProbe().read(tree), processors: ProcessorProbe().read(tree),
      pressure: PressureProbe().read(tree), disk: DiskProbe(path: stateDirectory).read(tree))
  }
}

/// The results of all probes at one instant.
package struct MachineReading: Equatable, Sendable {
  package var gpus: GPUReading
  package var power: Reading<Condition>
  package var network: Reading<Condition>
  package var memory: Reading<MemoryProbe.Amount>
  package var processors: Reading<Int>
  package var pressure: Reading<ResourcesReport.Pressure>
  package var disk: Reading<DiskProbe.Amount>

  /// The facts for the core: unknown resources count as absent.
  package var facts: MachineFacts {
    var facts = MachineFacts(
      gpus: gpus.gpus, gpuWhy: gpus.why, processors: processors.fact ?? 1,
      memoryTotalBytes: memory.fact?.totalBytes ?? 0,
      memoryAvailableBytes: memory.fact?.availableBytes ?? 0,
      diskTotalBytes: disk.fact?.totalBytes ?? 0, diskFreeBytes: disk.fact?.freeBytes ?? 0,
      network: Self.condition(network), power: Self.condition(power))
    facts.gpusAreKnown = gpus.isKnown
    return facts
  }

  /// The report for `jobrun resources`.
  ///
  /// `leases`: the job that holds each GPU, by UUID; `slotsTotal` jobs may run at the same time, and
  /// `slotsUsed` hold a slot now.
  package func report(
    leases: [String: JobNumber], slotsTotal: Int, slotsUsed: Int
  ) -> ResourcesReport {
    let facts = facts
    let devices = gpus.gpus.map {
      ResourcesReport.Device(
        $0, utilisation: gpus.utilisation[$0.uuid], leasedBy: leases[$0.uuid])
    }
    var report = ResourcesReport(
      gpuWhy: gpus.why, devices: devices, power: facts.power, network: facts.network,
      memory: ResourcesReport.Amount(
        totalBytes: facts.memoryTotalBytes, freeBytes: facts.memoryAvailableBytes,
        why: memory.why),
      disk: ResourcesReport.Amount(
        totalBytes: facts.diskTotalBytes, freeBytes: facts.diskFreeBytes, why: disk.why),
      processors: facts.processors, processorsWhy: processors.why, slotsTotal: slotsTotal,
      slotsUsed: slotsUsed, pressure: pressure.fact)
    report.gpusAreKnown = gpus.isKnown
    return report
  }

  private static func condition(_ reading: Reading<Condition>) -> Condition {
    reading.fact ?? Condition(holds: false, why: reading.why)
  }
}
