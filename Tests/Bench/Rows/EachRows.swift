import LinuxSystem

/// A thousand no-op jobs in one command, until the last of them has ended.
///
/// task-spooler takes one job per command: it runs in a loop.
enum EachRows {
  private static let jobs = 1_000
  private static let rounds = 3

  static func measure() throws -> [Row] {
    let contest = try Contest(rounds: rounds)
    let bench = contest.bench
    let numbers = (1...jobs).map { "\($0)" }
    var turns = Alternation()
    contest.add(to: &turns) { peer in
      let start = AwakeClock.now()
      if let all = peer.submitAll {
        _ = try peer.bench.time(all(["true", "{}"], numbers))
      } else {
        let command = peer.submit(["true"])
        for _ in numbers { try peer.bench.run(command) }
        try peer.drain()
      }
      return Double(jobs) / (Double(AwakeClock.now() - start) / 1e9)
    }
    var others = ["xargs -P2"]
    turns.add(others[0]) {
      try rate(bench, ["sh", "-c", "seq \(jobs) | xargs -n1 -P2 true"])
    }
    if let parallel = contest.peers.parallel {
      others.append("parallel")
      turns.add("parallel") { try rate(bench, [parallel, "-j2", "true", "{}", ":::"] + numbers) }
    }
    let series = try turns.run(rounds: rounds)
    try contest.end()
    return contest.rows(
      "no-op jobs of one command, 2 slots", .perSecond, series, inMemory: .ratioAtLeast(1.2),
      onDisk: .ratioAtLeast(1), others: others)
  }

  private static func rate(_ bench: Workbench, _ command: [String]) throws -> Double {
    Double(jobs) / (try bench.time(command) / 1_000)
  }

  /// A hundred thousand, state on the disk; parallel, which takes minutes for them, gets a tenth.
  static func measureMany(_ bench: Workbench) throws -> [Row] {
    let many = 100_000
    func rate(of count: Int, _ command: String) throws -> Series {
      Series([
        Double(count) / (try bench.time(["sh", "-c", "seq \(count) | \(command)"]) / 1_000)
      ])
    }
    let each = try bench.jobrun("each", "--", "true", "{}").joined(separator: " ")
    let ours = try rate(of: many, each)
    try bench.stopRunner()
    var references = [
      Row.Reference(name: "xargs -P2", series: try rate(of: many, "xargs -n1 -P2 true"))
    ]
    if bench.executable("parallel") != nil {
      references.append(
        .init(name: "parallel, 10,000", series: try rate(of: many / 10, "parallel -j2 true {}")))
    }
    return references.map {
      Row(
        name: "100,000 no-op jobs of one command", unit: .perSecond, ours: ours, reference: $0)
    }
  }
}
