/// The resource that keeps a queued job from starting now.
///
/// Certain facts of the core come first: leases and reservations of our own jobs, then slots. Measured facts
/// come next, and last the resources that an earlier job in the queue waits for.
enum Lack: Hashable, Sendable {
  /// Too many GPUs are leased to our own jobs.
  case gpuLeased
  /// Running jobs reserved the memory.
  case memoryReserved
  case slots
  case runnerPaused
  /// Starts of its group are paused.
  case groupPaused(GroupName)
  /// The free slots are kept for a wider job ahead.
  case slotsLeft(JobNumber)
  /// The user's settings do not allow it.
  case barred(Bar)
  /// The last free slot is kept for the job ahead until the probe answers.
  case slotKept(JobNumber)
  /// GPUs are used by others, or have too little free memory.
  case gpu
  case memory, disk, network, power
  /// The facts about the resource are outdated, or its GPUs were only just released; a probe is requested.
  case unknown(ResourceSet)
  /// The job ahead needs the same resource and waits for it; it may be ahead for its priority.
  case behind(JobNumber, ResourceSet, isMoreUrgent: Bool)

  /// The word on the wire.
  ///
  /// Disk shares the word for memory: scripts treat them alike.
  var code: PendingReason.Code {
    switch self {
    case .slots, .slotKept, .slotsLeft: .slots
    case .runnerPaused, .groupPaused: .paused
    case .barred(let bar): bar.code
    case .gpuLeased, .gpu: .gpu
    case .memoryReserved, .memory, .disk: .memory
    case .network: .network
    case .power: .power
    case .unknown(let resource), .behind(_, let resource, _): Lack.code(of: resource)
    }
  }

  /// Whether another probe may end it.
  var isMeasured: Bool {
    switch self {
    case .gpu, .memory, .disk, .network, .power, .unknown: true
    case .gpuLeased, .memoryReserved, .slots, .runnerPaused, .groupPaused, .slotsLeft, .barred,
      .slotKept, .behind:
      false
    }
  }

  /// Whether a probe must first show if there is a lack.
  var isUnknown: Bool {
    if case .unknown = self { true } else { false }
  }

  private static func code(of resource: ResourceSet) -> PendingReason.Code {
    if resource.contains(.gpu) { return .gpu }
    if resource.contains(.memory) || resource.contains(.disk) { return .memory }
    return resource.contains(.network) ? .network : .power
  }
}
