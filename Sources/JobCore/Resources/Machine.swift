/// How the machines of a pool are called.
package enum MachineName {
  /// The machine of the runner; all others have the names of their engines.
  package static let here = "here"
}

/// What the helper of another machine says of it.
package enum Survey: Hashable, Sendable {
  case facts(MachineFacts)
  /// It cannot be reached; the sentence says why.
  case silent(String)
}

/// Another machine that runs jobs whose resources we count.
struct Machine: Sendable {
  var ledger: ResourceLedger
  /// Whether it has answered since it was last lost.
  var isReached = false
  /// Why it cannot be reached; nil = it can, or it was not asked yet.
  var silence: String?
  /// When it was asked for facts that it has not sent yet, and whether they are late.
  var askedAt: Instant?
  var isOverdue = false

  init(factsKeep: Interval) {
    ledger = ResourceLedger(factsKeep: factsKeep)
  }

  /// When to ask it again while a job waits for it.
  func surveyDue(at now: Instant, every interval: Interval) -> Instant {
    if let askedAt { return askedAt + interval }
    guard isReached, let factsAt = ledger.factsAt, ledger.isRecent(at: now), !ledger.isDoubtful
    else { return now }
    return factsAt + interval
  }
}

/// Why a job cannot start on one of several machines; `lack` nil = it can.
struct MachineLack: Hashable, Sendable {
  let machine: String
  let lack: Lack?
}

/// What jobs wait for that come first, by machine.
struct HeldResources: Sendable {
  private var here: ResourceSet = []
  private var elsewhere: [String: ResourceSet] = [:]

  subscript(machine: String) -> ResourceSet {
    get { machine == MachineName.here ? here : elsewhere[machine] ?? [] }
    set {
      if machine == MachineName.here { here = newValue } else { elsewhere[machine] = newValue }
    }
  }
}

extension ResourceLedger {
  /// Whether a GPU is free whose last measurement showed our own job on it.
  var isDoubtful: Bool { clouded.contains { leases[$0] == nil } }

  /// How much is free of what `demand` asks for: the job goes where that is least.
  func spare(for demand: Requirements) -> [UInt64] {
    let gpus = (facts?.gpus ?? []).filter { isFree($0, for: Requirements()) }
    let processors = demand.processors > 0 ? free(of: CountedNeed.processors) : 0
    let memory = facts?.memoryAvailableBytes ?? 0
    let disk = facts?.diskFreeBytes ?? 0
    return [
      demand.gpuCount > 0 ? gpus.reduce(0) { $0.addedHeld($1.memoryTotalBytes) } : 0,
      UInt64(max(0, processors)),
      demand.memoryBytes > 0 ? memory - min(memory, memoryGranted) : 0,
      demand.diskBytes > 0 ? disk - min(disk, diskGranted) : 0,
    ]
  }
}
