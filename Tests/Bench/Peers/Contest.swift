/// jobrun, with its state on the disk and in memory, beside its peers, in turns.
///
/// The disk determines the time of a durable answer, which none of the peers gives; in memory the programs
/// themselves are compared.
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

  /// Adds all peers' turns; jobs queued by a turn are awaited after the measurement.
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

  /// jobrun beside each of the others; the budgets are relative to task-spooler, which stores nothing.
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
