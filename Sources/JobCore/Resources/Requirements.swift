/// The resources and conditions that a job needs before it may start.
package struct Requirements: Hashable, Sendable {
  /// Whole GPUs to lease; 0 = none.
  ///
  /// More than the machine has is refused at submission.
  package var gpuCount: Int = 0
  /// Free memory in bytes on each leased GPU; 0 = any.
  package var gpuMemoryBytes: UInt64 = 0
  /// Processors, reserved while the job runs; 0 = no requirement beyond the slot every job takes.
  package var processors: Int = 0
  /// Counted resources that are reserved while the job runs; ascending by name, without duplicates.
  package var counted: [CountedNeed] = []
  /// Main memory in bytes, reserved while the job runs; 0 = none.
  package var memoryBytes: UInt64 = 0
  /// Free space in bytes on the filesystem of the state directory; 0 = none.
  package var diskBytes: UInt64 = 0
  /// Needs a default route that is up.
  package var network = false
  /// Needs external power.
  package var power = false
  /// Waits until the machine's screens and keyboards are idle.
  package var whenIdle = false

  package init() {}

  package var isEmpty: Bool { self == Requirements() }
}

/// A condition of the machine, and the probe's reason.
package struct Condition: Hashable, Sendable {
  package var holds: Bool
  package var why: String

  package init(holds: Bool, why: String) {
    self.holds = holds
    self.why = why
  }
}

/// One GPU that the probe found.
package struct GPU: Hashable, Sendable {
  /// The driver's stable name, pinned through `CUDA_VISIBLE_DEVICES`: `GPU-8c18…`.
  package var uuid: String
  package var name: String
  package var memoryTotalBytes: UInt64
  package var memoryFreeBytes: UInt64
  /// Compute processes on it now.
  ///
  /// On a GPU without a lease they are not ours, and the GPU is not granted while they run.
  package var processes: Int

  package init(
    uuid: String, name: String, memoryTotalBytes: UInt64, memoryFreeBytes: UInt64, processes: Int
  ) {
    self.uuid = uuid
    self.name = name
    self.memoryTotalBytes = memoryTotalBytes
    self.memoryFreeBytes = memoryFreeBytes
    self.processes = processes
  }
}

/// The result of the probes of this machine at one instant.
package struct MachineFacts: Hashable, Sendable {
  package var gpus: [GPU]
  /// One sentence: which library answered, or why there is no GPU.
  package var gpuWhy: String
  /// Whether the driver answered: without an answer there may be GPUs, so that no waiting job is refused.
  package var gpusAreKnown = true
  package var processors: Int
  /// Installed memory or the cgroup's limit, whichever is smaller.
  package var memoryTotalBytes: UInt64
  package var memoryAvailableBytes: UInt64
  package var diskTotalBytes: UInt64
  package var diskFreeBytes: UInt64
  package var network: Condition
  package var power: Condition

  package init(
    gpus: [GPU], gpuWhy: String, processors: Int, memoryTotalBytes: UInt64,
    memoryAvailableBytes: UInt64, diskTotalBytes: UInt64, diskFreeBytes: UInt64,
    network: Condition, power: Condition
  ) {
    self.gpus = gpus
    self.gpuWhy = gpuWhy
    self.processors = processors
    self.memoryTotalBytes = memoryTotalBytes
    self.memoryAvailableBytes = memoryAvailableBytes
    self.diskTotalBytes = diskTotalBytes
    self.diskFreeBytes = diskFreeBytes
    self.network = network
    self.power = power
  }
}
