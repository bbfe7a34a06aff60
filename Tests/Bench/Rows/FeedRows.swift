import JobCore
import JobWire
import LinuxSystem

/// The runner's cost of feed readers: its share of a core, by the number of readers and by the number of busy
/// jobs.
enum FeedRows {
  private static let readers = [1, 10, 100, 1_000]
  private static let jobs = [1, 10, 100, 500]
  /// The constant number while the other grows.
  private static let usual = 100
  /// The one with a budget is measured longer.
  private static let seconds: UInt64 = 3
  private static let budgetSeconds: UInt64 = 10

  struct Result {
    var rows: [Row]
    var plots: [Plot]
  }

  private struct Load: Hashable {
    var readers: Int
    var jobs: Int
    var isBrief = false
  }

  private struct Cost {
    /// Of one core, in percent.
    var share: Double
    /// To all readers.
    var mebibytesPerSecond: Double
  }

  static func measure() throws -> Result {
    let bench = try Workbench(rounds: 1, slots: jobs.max() ?? usual)
    let channel = try bench.channel()
    var costs: [Load: Cost] = [:]
    var running: [JobNumber] = []
    for count in jobs {
      running += try channel.submit(["sleep", "100000"], count: count - running.count)
      let reporters = try Reporters(running, bench)
      for readers in count == usual ? readers : [usual] {
        let load = Load(readers: readers, jobs: count)
        costs[load] = try cost(of: load, bench)
      }
      if count == usual { costs[brief] = try cost(of: brief, bench) }
      reporters.stop()
    }
    try bench.stopRunner()
    return Result(rows: rows(costs), plots: [readersPlot(costs), jobsPlot(costs)])
  }

  private static func cost(of load: Load, _ bench: Workbench) throws -> Cost {
    let readers = try (0..<load.readers).map { _ in try bench.channelToRunner() }
    for reader in readers {
      try reader.send(.feed(since: nil, progressHertz: 10, brief: load.isBrief))
    }
    // The initial snapshots are not measured.
    try Readers.read(readers, nanoseconds: 2_000_000_000)
    let runner = try bench.runner()
    let cpu = runner.cpuSeconds
    let start = AwakeClock.now()
    let length = load == budgeted ? budgetSeconds : seconds
    let bytes = try Readers.read(readers, nanoseconds: length * 1_000_000_000)
    let seconds = bench.milliseconds(since: start) / 1_000
    return Cost(
      share: (runner.cpuSeconds - cpu) / seconds * 100,
      mebibytesPerSecond: Double(bytes) / seconds / 1_048_576)
  }

  private static var budgeted: Load { Load(readers: 1_000, jobs: usual) }
  private static var single: Load { Load(readers: 1, jobs: usual) }
  private static var brief: Load { Load(readers: 1, jobs: usual, isBrief: true) }

  private static func rows(_ costs: [Load: Cost]) -> [Row] {
    func row(_ load: Load, _ budget: Row.Budget = .none) -> Row {
      let who =
        load.readers == 1
        ? "1 feed reader" : "\(TableText.decimal(Double(load.readers), 0)) feed readers"
      let what = load.jobs == 1 ? "1 job" : "\(load.jobs) jobs"
      return Row(
        name: "runner, \(who) of \(what) at full speed: of one core", unit: .percent,
        ours: Series([costs[load]?.share ?? 0]), budget: budget)
    }
    return [
      row(budgeted, .atMost(20)),
      Row(
        name: "  bytes a second to all readers", unit: .mebibytes,
        ours: Series([costs[budgeted]?.mebibytesPerSecond ?? 0])),
      row(single), row(Load(readers: usual, jobs: 1)), row(Load(readers: usual, jobs: 500)),
      Row(
        name: "KiB a second to a brief reader of \(usual) jobs at full speed", unit: .kibibytes,
        ours: kibibytes(costs[brief]),
        reference: .init(name: "a usual one", series: kibibytes(costs[single])),
        budget: .ratioAtMost(0.35)),
    ]
  }

  private static func kibibytes(_ cost: Cost?) -> Series {
    Series([(cost?.mebibytesPerSecond ?? 0) * 1_024])
  }

  private static func readersPlot(_ costs: [Load: Cost]) -> Plot {
    Plot(
      name: "feed-subscribers",
      title: "The runner, by readers of the feed; \(usual) jobs report at full speed",
      xTitle: "readers of the feed", yTitle: "% of one core",
      curves: [
        Curve(name: "jobrund", points: points(costs, readers) { Load(readers: $0, jobs: usual) })
      ])
  }

  private static func jobsPlot(_ costs: [Load: Cost]) -> Plot {
    Plot(
      name: "feed-jobs", title: "The runner, by jobs that report at full speed; \(usual) readers",
      xTitle: "jobs that report", yTitle: "% of one core",
      curves: [
        Curve(name: "jobrund", points: points(costs, jobs) { Load(readers: usual, jobs: $0) })
      ])
  }

  private static func points(
    _ costs: [Load: Cost], _ sizes: [Int], _ load: (Int) -> Load
  ) -> [Curve.Point] {
    sizes.compactMap { size in
      costs[load(size)].map { Curve.Point(x: Double(size), y: $0.share) }
    }
  }
}
