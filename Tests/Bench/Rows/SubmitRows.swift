import LinuxSystem

/// `submit --detach` of a no-op, the whole process, beside the peers'.
enum SubmitRows {
  /// Submissions in one round; their median is the round's figure.
  private static let each = 40

  static func measure(_ bench: Workbench) throws -> [Row] {
    let submit = try bench.jobrun("run", "--detach", "--", "true")
    try bench.run(submit)
    let peers = Peers(bench)
    var alternation = Alternation()
    alternation.add("jobrun") {
      let figure = try median(bench, submit)
      try drain(bench)
      return figure
    }
    for peer in peers.submitters {
      alternation.add(peer.name) {
        let figure = try median(bench, peer.submit(["true"]))
        try peer.drain()
        return figure
      }
    }
    let series = try alternation.run(rounds: bench.rounds)
    try bench.stopRunner()
    return peers.submitters.map(\.name).map { peer in
      Row(
        name: "submit --detach, whole process", unit: .milliseconds,
        ours: series["jobrun"] ?? Series(),
        reference: series[peer].map { Row.Reference(name: peer, series: $0) },
        budget: peer == "tsp" ? .ratioAtMost(1.5) : .none)
    }
  }

  private static func median(_ bench: Workbench, _ arguments: [String]) throws -> Double {
    Series(try (0..<each).map { _ in try bench.time(arguments) }).median
  }

  /// Until nothing runs any more.
  static func drain(_ bench: Workbench) throws {
    let channel = try bench.channel()
    try Settling.wait(on: channel)
  }
}
