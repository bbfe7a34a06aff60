import LinuxSystem

/// No-op jobs a second: so many submissions one after the other, until the last job has ended.
enum ThroughputRows {
  private static let jobs = 1_000
  private static let rounds = 3

  static func measure(_ bench: Workbench) throws -> [Row] {
    let peers = Peers(bench)
    let submit = try bench.jobrun("run", "--detach", "--", "true")
    var alternation = Alternation()
    alternation.add("jobrun") {
      try rate {
        try bench.run(submit)
      } untilDone: {
        try SubmitRows.drain(bench)
      }
    }
    for peer in peers.submitters {
      let submit = peer.submit(["true"])
      alternation.add(peer.name) {
        try rate {
          try bench.run(submit)
        } untilDone: {
          try peer.drain()
        }
      }
    }
    if let parallel = peers.parallel {
      alternation.add("parallel") { try rate(of: parallel, bench) }
    }
    alternation.add("spawn") { try spawnRate(bench) }
    let series = try alternation.run(rounds: rounds)
    try bench.stopRunner()
    return (peers.submitters.map(\.name) + ["parallel", "spawn"]).map { peer in
      Row(
        name: "no-op jobs, 2 slots", unit: .perSecond, ours: series["jobrun"] ?? Series(),
        reference: series[peer].map { Row.Reference(name: peer, series: $0) },
        budget: peer == "tsp" ? .ratioAtLeast(1) : .none)
    }
  }

  private static func rate(
    _ submit: () throws -> Void, untilDone: () throws -> Void
  ) throws -> Double {
    let start = AwakeClock.now()
    for _ in 0..<jobs { try submit() }
    try untilDone()
    return Double(jobs) / (Double(AwakeClock.now() - start) / 1e9)
  }

  /// GNU parallel is told of all jobs at once.
  private static func rate(of parallel: String, _ bench: Workbench) throws -> Double {
    let numbers = (1...jobs).map { "\($0)" }
    let milliseconds = try bench.time([parallel, "-j2", "true", "{}", ":::"] + numbers)
    return Double(jobs) / milliseconds * 1_000
  }

  /// The machine's limit: the same program, started and waited for, two at a time.
  private static func spawnRate(_ bench: Workbench) throws -> Double {
    let start = AwakeClock.now()
    for _ in 0..<(jobs / 2) {
      let pair = try [bench.start(["true"]), bench.start(["true"])]
      for pid in pair { _ = try ChildProcess.wait(pid) }
    }
    return Double(jobs) / (Double(AwakeClock.now() - start) / 1e9)
  }
}
