package import JobCore

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
