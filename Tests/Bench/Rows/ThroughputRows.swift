import LinuxSystem

/// No-op jobs per second: submissions one after the other, until the last job has ended.
enum ThroughputRows {
  private static let jobs = 500
  private static let rounds = 3

  static func measure() throws -> [Row] {
    let contest = try Contest(rounds: rounds)
    let bench = contest.bench
    var turns = Alternation()
    contest.add(to: &turns) { peer in
      let command = peer.submit(["true"])
      let start = AwakeClock.now()
      for _ in 0..<jobs { try peer.bench.run(command) }
      try peer.drain()
      return Double(jobs) / (Double(AwakeClock.now() - start) / 1e9)
    }
    if let parallel = contest.peers.parallel {
      turns.add("parallel") { try rate(of: parallel, bench) }
    }
    let pythonPeers = PythonPeer.installed(bench)
    for peer in pythonPeers { turns.add(peer.name) { try peer.rate(jobs: jobs) } }
    turns.add("spawn") { try spawnRate(bench) }
    let series = try turns.run(rounds: rounds)
    try contest.end()
    return contest.rows(
      "no-op jobs, 2 slots", .perSecond, series, inMemory: .ratioAtLeast(1.1),
      onDisk: .ratioAtLeast(0.8),
      others: ["parallel", "spawn"] + pythonPeers.map(\.name))
  }

  /// GNU parallel gets all jobs at once.
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
