import Foundation
import LinuxSystem

/// Standard output without a buffer, so that a long run can be followed.
func tell(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

/// The results of a run so far.
struct Figures {
  private var rows: [Row] = []
  private var plots: [Plot] = []

  /// The groups of rows by name, in their order.
  static let groups: [(name: String, measure: @Sendable (inout Figures) throws -> Void)] = [
    ("limits", { $0.add(try LimitRows.measure(try Workbench(rounds: 5))) }),
    ("submit", { $0.add(try SubmitRows.measure(rounds: 7)) }),
    ("start", { $0.add(try StartRows.measure(rounds: 7)) }),
    ("throughput", { $0.add(try ThroughputRows.measure()) }),
    ("each", { $0.add(try EachRows.measure()) }),
    ("many", { $0.add(try EachRows.measureMany(try Workbench(rounds: 1))) }),
    ("export", { $0.add(try ExportRows.measure(try Workbench(rounds: 1))) }),
    ("progress", { $0.add(try ProgressRows.measure(rounds: 31)) }),
    ("idle", { $0.add(try IdleRows.measure(try Workbench(rounds: 1))) }),
    ("latency", { $0.add(try LatencyRows.measure(try Workbench(rounds: 1))) }),
    (
      "core",
      {
        let result = try CoreRows.measure(rounds: 5)
        $0.add(result.rows, [result.plot])
      }
    ),
    (
      "queue",
      {
        let result = try QueueRows.measure(try Workbench(rounds: 1, in: Workbench.memory))
        $0.add(result.rows, result.plots)
      }
    ),
    (
      "history",
      {
        let result = try HistoryRows.measure()
        $0.add(result.rows, result.plots)
      }
    ),
    (
      "feed",
      {
        let result = try FeedRows.measure()
        $0.add(result.rows, result.plots)
      }
    ),
    ("watch", { $0.add(try WatchRows.measure()) }),
    ("crowd", { $0.add(try CrowdRows.measure()) }),
    ("batch", { $0.add(try BatchRows.measure(rounds: 5)) }),
    ("transfer", { $0.add(try TransferRows.measure(rounds: 5)) }),
    ("size", { $0.add(try SizeRows.measure(try Workbench(rounds: 1))) }),
  ]

  /// Measures these groups and writes the report to `folder`.
  static func measure(_ names: [String], folder: String) throws {
    try CurrentProcess.raiseDescriptorLimit()
    var figures = Figures()
    for group in groups where names.isEmpty || names.contains(group.name) {
      tell("\n## \(group.name)")
      try group.measure(&figures)
    }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let base = URL(fileURLWithPath: folder)
    let machine = Machine.facts
    try JSONReport.data(figures.rows, figures.plots, machine: machine)
      .write(to: base.appendingPathComponent("bench.json"))
    for plot in figures.plots {
      try Data(PlotDrawing(plot).svg.utf8)
        .write(to: base.appendingPathComponent(plot.name + ".svg"))
    }
    let title = machine.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    tell("\n# \(title.joined(separator: " · "))\n\n\(TableText.text(figures.rows))")
    tell("\nsamples and plots: \(folder)")
  }

  private mutating func add(_ rows: [Row], _ plots: [Plot] = []) {
    tell(TableText.text(rows))
    self.rows += rows
    self.plots += plots
  }
}
