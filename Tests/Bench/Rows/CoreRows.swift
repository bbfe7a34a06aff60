import JobCore
import LinuxSystem

/// Events a second that the core decides, with many jobs in the value.
enum CoreRows {
  private static let sizes = [1_000, 10_000, 100_000, 1_000_000]
  private static let events = 300_000
  /// Rounds with a million jobs take long to fill.
  private static let roundsWithMany = 3

  struct Result {
    var rows: [Row]
    var plot: Plot
  }

  static func measure(rounds: Int) throws -> Result {
    var rows: [Row] = []
    var points: [Curve.Point] = []
    for size in sizes {
      let rounds = size < 1_000_000 ? rounds : min(rounds, roundsWithMany)
      let series = Series(try (0..<rounds).map { _ in try rate(jobs: size) })
      points.append(.init(x: Double(size), y: 1e9 / series.median))
      rows.append(
        Row(
          name: "core, \(TableText.decimal(Double(size), 0)) jobs: events", unit: .perSecond,
          ours: series, budget: size == 100_000 ? .atLeast(1_000_000) : .none))
    }
    let plot = Plot(
      name: "core-event", title: "Cost of one event in the core, by jobs in it",
      xTitle: "jobs", yTitle: "ns an event", curves: [Curve(name: "JobCore", points: points)])
    return Result(rows: rows, plot: plot)
  }

  /// Fills a core and then ends and starts jobs at the front while others join at the back and
  /// leave from anywhere.
  private static func rate(jobs: Int) throws -> Double {
    var core = Scheduler(configuration: .init(slots: 64), firstNumber: JobNumber(1))
    var effects: [Effect] = []
    var running: [JobNumber] = []
    for number in 0..<jobs {
      effects.removeAll(keepingCapacity: true)
      let submission = try submission(number)
      core.handle(.submit(RequestTag(1), submission), at: Instant(nanoseconds: 1), into: &effects)
      running += launched(effects)
    }
    let submissions = try (jobs..<(jobs + events / 3)).map(submission)
    let start = ThreadClock.nanoseconds()
    var handled = 0
    var next = 0
    var instant: UInt64 = 2
    while handled < events, let number = running.popLast() {
      effects.removeAll(keepingCapacity: true)
      let now = Instant(nanoseconds: instant)
      core.handle(.started(number, attempt: 1), at: now, into: &effects)
      core.handle(
        .finished(number, attempt: 1, RunEnd(status: .exited(0))), at: now, into: &effects)
      core.handle(.submit(RequestTag(2), submissions[next]), at: now, into: &effects)
      running += launched(effects)
      next += 1
      handled += 3
      instant += 1
    }
    return Double(handled) / (Double(ThreadClock.nanoseconds() - start) / 1e9)
  }

  private static func submission(_ number: Int) throws -> Submission {
    guard let identifier = JobIdentifier("io.jobrun.run.bench\(number)") else {
      throw Fault("an identifier was refused")
    }
    return Submission(key: "\(number)", identifier: identifier, speaksPage: false)
  }

  private static func launched(_ effects: [Effect]) -> [JobNumber] {
    effects.compactMap { effect in
      guard case .launch(let number, _, _) = effect else { return nil }
      return number
    }
  }
}
