/// Ours, with its state on the disk and in memory, beside everybody else's, by turns.
///
/// The disk decides how long an answer takes that survives a power cut, and none of the others gives
/// one; in memory the programs themselves are compared.
struct Contest {
  static let disk = "jobrun"
  static let memory = "jobrun, in memory"

  let bench: Workbench
  let peers: Peers
  private let contestants: [Peer]

  init(rounds: Int) throws {
    bench = try Workbench(rounds: rounds)
    peers = Peers(bench)
    contestants =
      try [
        .ours(Self.disk, bench),
        .ours(Self.memory, Workbench(rounds: rounds, in: Workbench.memory)),
      ] + peers.submitters
  }

  /// Adds everybody's turn; what was queued in it is waited for behind the figure.
  func add(to turns: inout Alternation, _ measure: @escaping (Peer) throws -> Double) {
    for peer in contestants {
      turns.add(peer.name) {
        let figure = try measure(peer)
        try peer.drain()
        return figure
      }
    }
  }

  func end() throws {
    for peer in contestants { try peer.stop() }
  }

  /// Ours beside each of the others; the budgets are relative to task-spooler, which stores nothing.
  func rows(
    _ name: String, _ unit: Row.Unit, _ series: [String: Series], inMemory: Row.Budget,
    onDisk: Row.Budget, others: [String] = []
  ) -> [Row] {
    let references = peers.submitters.map(\.name) + others
    return [
      (Self.memory, name + ", state in memory", inMemory),
      (Self.disk, name + ", state on the disk", onDisk),
    ]
    .flatMap { ours, title, budget in
      references.compactMap { reference in
        series[reference].map {
          Row(
            name: title, unit: unit, ours: series[ours] ?? Series(),
            reference: Row.Reference(name: reference, series: $0),
            budget: reference == "tsp" ? budget : .none)
        }
      }
    }
  }
}
