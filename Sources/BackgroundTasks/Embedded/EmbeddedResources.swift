internal import JobCore

/// The machine that an embedded scheduler believes to have.
public struct EmbeddedResources: Hashable, Sendable {
  /// Tasks that run at the same time, at least 1.
  public var slots: Int
  /// GPUs, each for one task at a time.
  public var gpus: Int
  /// Whether there is a network.
  public var hasNetwork: Bool
  /// Whether there is external power.
  public var hasExternalPower: Bool

  /// By default, a machine with network and external power, and without a GPU.
  public init(
    slots: Int = 2, gpus: Int = 0, hasNetwork: Bool = true, hasExternalPower: Bool = true
  ) {
    self.slots = slots
    self.gpus = gpus
    self.hasNetwork = hasNetwork
    self.hasExternalPower = hasExternalPower
  }

  /// The facts for the core.
  ///
  /// Totals of 0 are unknown, and make no request impossible.
  var facts: MachineFacts {
    MachineFacts(
      gpus: (0..<max(0, gpus)).map { number in
        GPU(
          uuid: "GPU-embedded-\(number)", name: "embedded", memoryTotalBytes: 0,
          memoryFreeBytes: 0, processes: 0)
      },
      gpuWhy: "the embedded scheduler was given \(max(0, gpus))", processors: 0,
      memoryTotalBytes: 0, memoryAvailableBytes: 0, diskTotalBytes: 0, diskFreeBytes: 0,
      network: Condition(holds: hasNetwork, why: "as the embedded scheduler was configured"),
      power: Condition(holds: hasExternalPower, why: "as the embedded scheduler was configured"))
  }
}
