package import JobCore

// What people may know of an engine's queue.
extension EngineSettings {
  /// What a job may require there, for a sentence.
  package var requirable: String {
    switch kind {
    case .host: "cpu, memory, gpu, disk"
    case .pool: "what one of its machines has"
    case .slurm: "cpu, memory, gpu, disk, nodes, tasks"
    case .batch:
      [BatchSystem.Key.cpu, .memory, .gpu].filter { batch?[$0].isEmpty == false }
        .map { $0.rawValue }.joined(separator: ", ")
    }
  }

  /// Prints how full the engine is, and the user's jobs there; nil for a machine without a queue.
  package var queueScript: String? {
    switch kind {
    case .host, .pool: nil
    case .slurm:
      "sinfo -o '%12P %6a %10l %6D %8t %C' && echo"
        + " && squeue --me -o '%12i %40j %10T %20S %R'"
    case .batch:
      batch?.template(.list).filled { $0 == "user" ? BatchSystem.user : nil }
    }
  }
}

extension BatchSystem {
  /// The user's name, for a shell.
  package static var user: String { "\"$(id -un)\"" }
}

/// Several nodes and tasks of one job, which only Slurm allots: `nodes=2,tasks=8` of `--require`.
///
/// On this machine these are names as any other that its owner may count.
package enum SlurmShape: String, CaseIterable, Sendable {
  case nodes, tasks

  /// What is required; 0 = nothing.
  package func count(in demand: Requirements) -> Int {
    demand.counted.first { $0.name == rawValue }?.count ?? 0
  }

  /// The first that is required.
  static func first(in demand: Requirements) -> SlurmShape? {
    allCases.first { $0.count(in: demand) > 0 }
  }
}
