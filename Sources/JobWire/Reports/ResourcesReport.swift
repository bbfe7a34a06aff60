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
    /// By running jobs; nil for what is not reserved.
    package var reservedBytes: UInt64?
    package var why: String

    package init(totalBytes: UInt64, freeBytes: UInt64, why: String) {
      self.totalBytes = totalBytes
      self.freeBytes = freeBytes
      self.why = why
    }
  }

  /// A resource that the machine's owner counts, and how much of it running jobs reserved.
  package struct Counted: Hashable, Sendable {
    package var name: String
    package var total: Int
    package var used: Int

    package init(name: String, total: Int, used: Int) {
      (self.name, self.total, self.used) = (name, total, used)
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
  /// Whether the driver answered.
  package var gpusAreKnown = true
  package var devices: [Device]
  package var power: Condition
  package var network: Condition
  package var memory: Amount
  package var disk: Amount
  package var processors: Int
  package var processorsWhy: String
  /// By running jobs.
  package var processorsReserved = 0
  package var slotsTotal: Int
  package var slotsUsed: Int
  package var pressure: Pressure?
  /// By name.
  package var counted: [Counted] = []

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

  /// More in one machine are garbage.
  private static let devicesLimit = 64

  /// What the rules need to know of it; another machine's figures are held to be possible.
  package var facts: MachineFacts {
    var facts = MachineFacts(
      gpus: devices.prefix(Self.devicesLimit).map { device in
        GPU(
          uuid: SafeText.shown(device.uuid, atMost: 128),
          name: SafeText.shown(device.name, atMost: 128),
          memoryTotalBytes: device.memoryTotalBytes,
          memoryFreeBytes: min(device.memoryFreeBytes, device.memoryTotalBytes),
          processes: max(0, device.processes))
      },
      gpuWhy: SafeText.shown(gpuWhy, atMost: 512), processors: max(0, min(processors, 1 << 20)),
      memoryTotalBytes: memory.totalBytes,
      memoryAvailableBytes: min(memory.freeBytes, memory.totalBytes),
      diskTotalBytes: disk.totalBytes, diskFreeBytes: min(disk.freeBytes, disk.totalBytes),
      network: network, power: power)
    facts.gpusAreKnown = gpusAreKnown
    return facts
  }
}

extension ResourcesReport: Coded {
  package init() {
    let nothing = Amount(totalBytes: 0, freeBytes: 0, why: "")
    self.init(
      gpuWhy: "", devices: [], power: Condition(), network: Condition(), memory: nothing,
      disk: nothing, processors: 0, processorsWhy: "", slotsTotal: 0, slotsUsed: 0, pressure: nil)
  }

  /// What `jobrun resources --json` prints.
  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    let gpu = try coder.coded(
      GPUFields(why: gpuWhy, isUnanswered: !gpusAreKnown, devices: devices), "gpu")
    (gpuWhy, gpusAreKnown, devices) = (gpu.why, !gpu.isUnanswered, gpu.devices)
    try coder.code(&power, "power")
    try coder.code(&network, "network")
    memory = try coder.coded(AmountFields(memory, available: memory.freeBytes), "memory").amount
    disk = try coder.coded(AmountFields(disk, free: disk.freeBytes), "disk").amount
    let counted = try coder.coded(
      ProcessorFields(count: processors, why: processorsWhy, reserved: processorsReserved),
      "processors")
    (processors, processorsWhy) = (counted.count, counted.why)
    processorsReserved = counted.reserved
    let slots = try coder.coded(SlotFields(total: slotsTotal, used: slotsUsed), "slots")
    (slotsTotal, slotsUsed) = (slots.total, slots.used)
    try coder.codeAlways(&pressure, "pressure")
    try coder.codeAlways(&self.counted, "counted")
  }
}

private struct GPUFields: Coded {
  var why = ""
  var isUnanswered = false
  var devices: [ResourcesReport.Device] = []

  mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    _ = try coder.coded(!devices.isEmpty, "available")
    try coder.code(&why, "why")
    try coder.code(&isUnanswered, "unanswered", usual: false)
    try coder.codeAlways(&devices, "devices")
  }
}

/// What is free has two names.
private struct AmountFields: Coded {
  var amount = ResourcesReport.Amount(totalBytes: 0, freeBytes: 0, why: "")
  private var available: UInt64?
  private var free: UInt64?

  init() {}

  init(_ amount: ResourcesReport.Amount, available: UInt64? = nil, free: UInt64? = nil) {
    (self.amount, self.available, self.free) = (amount, available, free)
  }

  mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&amount.totalBytes, "total")
    try coder.code(&available, "available")
    try coder.code(&free, "free")
    try coder.code(&amount.why, "why")
    try coder.code(&amount.reservedBytes, "reserved")
    amount.freeBytes = available ?? free ?? 0
  }
}

private struct ProcessorFields: Coded {
  var count = 0
  var why = ""
  var reserved = 0

  mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&count, "count")
    try coder.code(&why, "why")
    try coder.code(&reserved, "reserved")
  }
}

private struct SlotFields: Coded {
  var total = 0
  var used = 0

  mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&total, "total")
    try coder.code(&used, "used")
  }
}

extension ResourcesReport.Device: Coded {
  package init() {
    let gpu = GPU(uuid: "", name: "", memoryTotalBytes: 0, memoryFreeBytes: 0, processes: 0)
    self.init(gpu, utilisation: nil, leasedBy: nil)
  }

  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&uuid, "uuid")
    try coder.code(&name, "name")
    try coder.code(&memoryTotalBytes, "memoryTotal")
    try coder.code(&memoryFreeBytes, "memoryFree")
    try coder.codeAlways(&utilisation, "utilisation")
    try coder.code(&processes, "processes")
    try coder.codeAlways(&leasedBy, "leasedBy")
  }
}

extension ResourcesReport.Counted: Coded {
  package init() { self.init(name: "", total: 0, used: 0) }

  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&name, "name")
    try coder.code(&total, "total")
    try coder.code(&used, "used")
  }
}

extension ResourcesReport.Pressure: Coded {
  package init() { self.init(cpu: 0, memory: 0, io: 0) }

  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&cpu, "cpu")
    try coder.code(&memory, "memory")
    try coder.code(&io, "io")
  }
}
