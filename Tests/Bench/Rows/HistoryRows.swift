import JobCore
import JobStore
import JobWire
import LinuxSystem

/// What a long past costs: the runner's start and the everyday verbs.
enum HistoryRows {
  private static let sizes = [0, 10_000, 100_000]
  private static let queued = 10_000
  private static let each = 15

  struct Result {
    var rows: [Row]
    var plots: [Plot]
  }

  static func measure() throws -> Result {
    var restart: [Curve.Point] = []
    var list: [Curve.Point] = []
    var submit: [Curve.Point] = []
    for size in sizes {
      let bench = try Workbench(
        rounds: 1, historyCount: 1_000_000, in: Workbench.memory)
      try fill(bench, ended: size)
      let x = Double(max(1, size))
      restart.append(.init(x: x, y: try bench.time(bench.jobrun("show", "1"))))
      list.append(.init(x: x, y: try median(bench, bench.jobrun("list"))))
      submit.append(
        .init(x: x, y: try median(bench, bench.jobrun("run", "--detach", "--", "true"))))
      try bench.stopRunner()
    }
    let curves = [("start of the runner", restart), ("list", list), ("submit", submit)]
    return Result(
      rows: curves.map { name, points in
        Row(
          name: "\(name), 100,000 ended and 10,000 queued", unit: .milliseconds,
          ours: Series([points.last?.y ?? 0]),
          reference: .init(name: "none ended", series: Series([points.first?.y ?? 0])))
      },
      plots: [
        Plot(
          name: "history", title: "By jobs in history, 10,000 queued", xTitle: "jobs ended",
          yTitle: "ms", curves: curves.map { Curve(name: $0, points: $1) })
      ])
  }

  private static func median(_ bench: Workbench, _ arguments: [String]) throws -> Double {
    Series(try (0..<each).map { _ in try bench.time(arguments) }).median
  }

  /// A queue, and no runner; the past goes straight into the store: so many real jobs would take
  /// minutes.
  private static func fill(_ bench: Workbench, ended: Int) throws {
    let channel = try bench.channel()
    _ = try channel.submit(["sleep", "100000"], count: 2)
    _ = try channel.submit(["true"], count: queued)
    let runner = try ProcessDescriptor(try bench.runner().pid)
    _ = try runner.signal(Signal.kill)
    _ = try Poll.wait(runner.number, .readable, until: AwakeClock.now() + 10_000_000_000)
    let store = try Store(path: bench.places.database)
    let wall = WallClock.now()
    try store.begin(.normal)
    for index in 0..<ended { try store.insert(try past(index, at: wall), specification: []) }
    try store.commit()
  }

  private static func past(_ index: Int, at wall: Int64) throws -> JobRow {
    guard let identifier = JobIdentifier("io.jobrun.run.past\(index)") else {
      throw Fault("an identifier was refused")
    }
    let submission = Submission(
      key: RandomBytes.hexadecimal(count: 16), identifier: identifier, speaksPage: false)
    var row = JobRow(
      number: JobNumber(UInt64(queued + 3 + index)), submission: submission,
      title: "past \(index)", submittedMilliseconds: wall - 60_000)
    row.phase = .ended
    row.outcome = .succeeded
    row.attempt = 1
    row.exitCode = 0
    row.startedMilliseconds = wall - 50_000
    row.endedMilliseconds = wall - 40_000
    return row
  }
}
