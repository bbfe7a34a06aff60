/// What keeps a job in the queue from starting at this moment.
///
/// What the core knows for certain comes first: leases and reservations of our own jobs, then slots.
/// What was measured comes after that, and last what only an earlier job in the queue is waiting for.
enum Lack: Hashable, Sendable {
  /// Too many GPUs are leased to our own jobs.
  case gpuLeased
  /// Running jobs reserved the memory.
  case memoryReserved
  case slots
  case runnerPaused
  /// Nothing of its group starts.
  case groupPaused(GroupName)
  /// The free slots are left to a job ahead that takes more of them.
  case slotsLeft(JobNumber)
  /// A person's settings do not allow it.
  case barred(Bar)
  /// The last free slot is kept for the job ahead until the probe answers.
  case slotKept(JobNumber)
  /// GPUs are used by others, or have too little free memory.
  case gpu
  case memory, disk, network, power
  /// Nothing recent is known of the resource, or of GPUs that were only just given back; the probes
  /// are asked.
  case unknown(ResourceSet)
  /// The job ahead needs the same resource and waits for it; it may be ahead for its priority.
  case behind(JobNumber, ResourceSet, isMoreUrgent: Bool)

  /// The word on the wire.
  ///
  /// Disk has none of its own: to a script it is memory of another kind.
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

  /// Whether another look at the machine may end it.
  var isMeasured: Bool {
    switch self {
    case .gpu, .memory, .disk, .network, .power, .unknown: true
    case .gpuLeased, .memoryReserved, .slots, .runnerPaused, .groupPaused, .slotsLeft, .barred,
      .slotKept, .behind:
      false
    }
  }

  /// Whether a look at the machine will tell if there is any lack at all.
  var isUnknown: Bool {
    if case .unknown = self { true } else { false }
  }

  private static func code(of resource: ResourceSet) -> PendingReason.Code {
    if resource.contains(.gpu) { return .gpu }
    if resource.contains(.memory) || resource.contains(.disk) { return .memory }
    return resource.contains(.network) ? .network : .power
  }
}
