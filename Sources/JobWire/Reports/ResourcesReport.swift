package import JobCore

/// What this machine has and what is taken of it; each answer with its why.
package struct ResourcesReport: Hashable, Sendable {
  /// One GPU and the job that leased it.
  package struct Device: Hashable, Sendable {
    package var uuid: String
    package var name: String
    package var memoryTotalBytes: UInt64
    package var memoryFreeBytes: UInt64
    /// Percent, 0…100; nil when the driver does not tell.
    package var utilisation: Int?
    /// Compute processes on it, ours and others'.
    package var processes: Int
    package var leasedBy: JobNumber?

    package init(_ gpu: GPU, utilisation: Int?, leasedBy: JobNumber?) {
      self.uuid = gpu.uuid
      self.name = gpu.name
      self.memoryTotalBytes = gpu.memoryTotalBytes
      self.memoryFreeBytes = gpu.memoryFreeBytes
      self.utilisation = utilisation
      self.processes = gpu.processes
      self.leasedBy = leasedBy
    }
  }

  /// An amount of bytes that jobs share.
  package struct Amount: Hashable, Sendable {
    package var totalBytes: UInt64
    /// Available memory, or free disk space.
    package var freeBytes: UInt64
    package var why: String

    package init(totalBytes: UInt64, freeBytes: UInt64, why: String) {
      self.totalBytes = totalBytes
      self.freeBytes = freeBytes
      self.why = why
    }
  }

  /// Pressure stall information: percent of the last ten seconds in which something waited
  /// (`some avg10` of `/proc/pressure/*`).
  package struct Pressure: Hashable, Sendable {
    package var cpu: Double
    package var memory: Double
    package var io: Double

    package init(cpu: Double, memory: Double, io: Double) {
      self.cpu = cpu
      self.memory = memory
      self.io = io
    }
  }

  package var gpuWhy: String
  package var devices: [Device]
  package var power: Condition
  package var network: Condition
  package var memory: Amount
  package var disk: Amount
  package var processors: Int
  package var processorsWhy: String
  package var slotsTotal: Int
  package var slotsUsed: Int
  package var pressure: Pressure?

  package init(
    gpuWhy: String, devices: [Device], power: Condition, network: Condition, memory: Amount,
    disk: Amount, processors: Int, processorsWhy: String, slotsTotal: Int, slotsUsed: Int,
    pressure: Pressure?
  ) {
    self.gpuWhy = gpuWhy
    self.devices = devices
    self.power = power
    self.network = network
    self.memory = memory
    self.disk = disk
    self.processors = processors
    self.processorsWhy = processorsWhy
    self.slotsTotal = slotsTotal
    self.slotsUsed = slotsUsed
    self.pressure = pressure
  }
}
