import LinuxSystem

/// A batch of jobs: the time until it is accepted, the memory of each waiting job, and the throughput.
enum BatchRows {
  private static let many = 100_000
  private static let some = 10_000

  static func measure(rounds: Int) throws -> [Row] {
    var seconds: [Double] = []
    for _ in 0..<rounds {
      let bench = try Workbench(rounds: 1)
      let channel = try bench.channel()
      _ = try channel.submit(["sleep", "100000"], count: 2)
      seconds.append(try channel.submitMany(["true"], count: some))
      try bench.stopRunner()
    }
    return [
      Row(
        name: "jobs accepted in one submission of 10,000, state on the disk", unit: .perSecond,
        ours: Series(seconds.map { Double(some) / $0 }), budget: .atLeast(7_000))
    ] + (try queue())
  }

  /// A hundred thousand that wait: accepted, and after another runner took them over.
  private static func queue() throws -> [Row] {
    let bench = try Workbench(rounds: 1)
    let channel = try bench.channel()
    let idle = try bench.runner().residentKibibytes
    _ = try channel.submit(["sleep", "100000"], count: 2)
    let seconds = try channel.submitMany(["true"], count: many)
    IdleRows.settle()
    let before = try bench.runner().residentKibibytes
    let list = try bench.jobrun("list")
    let lists = Series(try (0..<5).map { _ in try bench.time(list) })
    try bench.run(bench.jobrun("runner", "restart"))
    _ = try bench.channel().status()
    IdleRows.settle()
    let after = try bench.runner().residentKibibytes
    try bench.stopRunner()
    return [
      Row(
        name: "100,000 jobs accepted in one submission", unit: .seconds, ours: Series([seconds]),
        budget: .atMost(2)),
      Row(name: "  list of them", unit: .milliseconds, ours: lists, budget: .atMost(400)),
      Row(
        name: "  memory of one that waits", unit: .kibibytes,
        ours: Series([(before - idle) / Double(many)]), budget: .atMost(2)),
      Row(
        name: "  the same once another runner has it", unit: .kibibytes,
        ours: Series([(after - idle) / Double(many)]), budget: .atMost(2)),
    ]
  }
}
