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
  /// Too few processors of another machine are left.
  case counted(CountedNeed)
  /// This machine of a pool can never provide it.
  case never
  /// This machine of a pool cannot be reached; the sentence says why.
  case silent(String)
  /// Jobs ahead wait for the same on this machine.
  case kept(ResourceSet)
  /// No machine of this pool can take it.
  indirect case noMachine(String, [MachineLack])
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
    case .counted: .resource
    case .never, .silent: .engine
    case .noMachine(_, let lacks): Lack.code(of: lacks)
    case .unknown(let resource), .behind(_, let resource, _), .kept(let resource):
      Lack.code(of: resource)
    }
  }

  /// Whether another probe may end it.
  var isMeasured: Bool {
    switch self {
    case .gpu, .memory, .disk, .network, .power, .unknown: true
    case .noMachine(_, let lacks): lacks.contains { $0.lack?.isMeasured ?? false }
    case .counted, .never, .silent, .kept, .gpuLeased, .memoryReserved, .slots, .runnerPaused,
      .groupPaused, .slotsLeft, .barred,
      .slotKept, .behind:
      false
    }
  }

  /// Whether a probe must first show if there is a lack.
  var isUnknown: Bool {
    if case .unknown = self { true } else { false }
  }

  /// Whether jobs behind it that need the same wait, too, rather than use a slot that it cannot use.
  var holdsBack: Bool {
    switch self {
    case .gpuLeased, .memoryReserved, .gpu, .memory, .disk, .network, .power: true
    case .unknown(let needs): !needs.isEmpty
    case .slots, .runnerPaused, .groupPaused, .slotsLeft, .barred, .slotKept, .counted, .never,
      .silent, .kept, .noMachine, .behind:
      false
    }
  }

  /// Of several machines: what the machines lack that have it at all.
  private static func code(of lacks: [MachineLack]) -> PendingReason.Code {
    let codes = lacks.compactMap { entry -> PendingReason.Code? in
      switch entry.lack {
      case .never, .silent, .unknown([]), nil: nil
      case let lack?: lack.code
      }
    }
    for code in [PendingReason.Code.gpu, .memory, .resource] where codes.contains(code) {
      return code
    }
    return codes.isEmpty ? .engine : .slots
  }

  private static func code(of resource: ResourceSet) -> PendingReason.Code {
    if resource.contains(.gpu) { return .gpu }
    if resource.contains(.memory) || resource.contains(.disk) { return .memory }
    return resource.contains(.network) ? .network : .power
  }
}
