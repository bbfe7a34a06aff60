import JobWire
import LinuxSystem

/// The cost of a long history: the runner's start, the everyday verbs, and those that look back.
enum HistoryRows {
  private static let sizes = [0, 10_000, 100_000]
  /// Events that are asked for once more.
  private static let events = 20

  struct Result {
    var rows: [Row]
    var plots: [Plot]
  }

  /// The measured command; the raw value is its name.
  private enum Measure: String, CaseIterable {
    case start = "start of the runner"
    case list
    case submit
    case wholeList = "list --all"
    case history
    case rareOutcome = "history --outcome failed"
    case rareDefinition = "history --definition nightly"
    case show
    case log
    case status = "runner status"
    case feed = "feed --since, 20 events"

    /// Commands with a limited output, whose time should not depend on the history beyond that.
    static let limited: [Measure] = [
      .history, .rareOutcome, .rareDefinition, .show, .log, .status, .feed,
    ]

    /// Samples: the longer one takes, the fewer.
    var count: Int {
      switch self {
      case .start: 1
      case .wholeList: 5
      case .list: 15
      default: 100
      }
    }
  }

  private typealias Figures = [Measure: Series]

  static func measure() throws -> Result {
    let pasts = try sizes.map { try Past(ended: $0) }
    var figures: [Figures] = []
    for past in pasts {
      let start = try past.bench.time(past.bench.jobrun("show", "1"))
      figures.append([.start: Series([start])])
    }
    for measure in Measure.allCases where measure != .start {
      for _ in 0..<measure.count {
        // In turns: a change of the machine's speed affects all of them.
        for (index, past) in pasts.enumerated() {
          figures[index][measure, default: Series()].samples.append(try take(measure, of: past))
        }
      }
    }
    for past in pasts { try past.bench.stopRunner() }
    return Result(rows: rows(figures), plots: plots(figures))
  }

  /// One figure, in milliseconds.
  private static func take(_ measure: Measure, of past: Past) throws -> Double {
    let arguments: [String]
    switch measure {
    case .feed: return try resume(past.bench)
    case .start, .list: arguments = ["list"]
    case .submit: arguments = ["run", "--detach", "--", "true"]
    case .wholeList: arguments = ["list", "--all"]
    case .history: arguments = ["history"]
    case .rareOutcome: arguments = ["history", "--outcome", "failed"]
    case .rareDefinition: arguments = ["history", "--definition", "nightly"]
    case .show: arguments = ["show", "\(past.middle)"]
    case .log: arguments = ["log", "\(past.middle)"]
    case .status: arguments = ["runner", "status"]
    }
    return try past.bench.time(past.bench.jobrun() + arguments)
  }

  /// Milliseconds until a reader of the feed has the last events once more.
  private static func resume(_ bench: Workbench) throws -> Double {
    let channel = try bench.channelToRunner()
    let since = try channel.status().sequence - UInt64(events)
    let start = AwakeClock.now()
    try channel.send(.feed(since: since, progressHertz: 0))
    var count = 0
    while count < events {
      for case .feed(.event) in try channel.lines() { count += 1 }
    }
    return bench.milliseconds(since: start)
  }

  private static func rows(_ figures: [Figures]) -> [Row] {
    let all = "100,000 ended and 10,000 queued"
    func row(
      _ measure: Measure, beside index: Int, _ name: String, budget: Row.Budget
    ) -> Row {
      Row(
        name: "\(measure.rawValue), \(all)", unit: .milliseconds,
        ours: figures.last?[measure] ?? Series(),
        reference: .init(name: name, series: figures[index][measure] ?? Series()), budget: budget)
    }
    let few = "10,000 ended"
    return [Measure.start, .list, .submit].map {
      row($0, beside: 0, "none ended", budget: .none)
    } + [
      Row(
        name: "list --all, for each job that it prints, \(all)", unit: .microseconds,
        ours: printed(figures, at: 2),
        reference: .init(name: few, series: printed(figures, at: 1)), budget: .ratioAtMost(1.2))
    ] + Measure.limited.map { row($0, beside: 1, few, budget: .ratioAtMost(1.5)) }
  }

  /// Microseconds for each job of a whole list.
  private static func printed(_ figures: [Figures], at index: Int) -> Series {
    let jobs = Double(sizes[index] + Past.queued)
    return Series((figures[index][.wholeList] ?? Series()).samples.map { $0 * 1_000 / jobs })
  }

  private static func plots(_ figures: [Figures]) -> [Plot] {
    func plot(_ name: String, _ title: String, _ measures: [Measure]) -> Plot {
      let curves = measures.map { measure in
        Curve(
          name: measure.rawValue,
          points: zip(sizes, figures).map { size, figures in
            .init(x: Double(max(1, size)), y: (figures[measure] ?? Series()).median)
          })
      }
      return Plot(name: name, title: title, xTitle: "jobs ended", yTitle: "ms", curves: curves)
    }
    return [
      plot("history", "By jobs in history, 10,000 queued", [.start, .list, .submit, .wholeList]),
      plot("history-verbs", "Verbs that look back, by jobs in history", Measure.limited),
    ]
  }
}
