import JobCore
import LinuxSystem
import TestKit

/// The cost of a tall terminal with a hundred busy jobs: bytes written to it, and processor time.
enum WatchRows {
  private static let jobs = 100
  private static let columns: UInt16 = 120
  private static let rows: UInt16 = 110
  private static let seconds: UInt64 = 10

  static func measure() throws -> [Row] {
    let bench = try Workbench(rounds: 1, slots: jobs)
    let channel = try bench.channel()
    let running = try channel.submit(["sleep", "100000"], count: jobs)
    let reporters = try Reporters(running, bench)
    defer { reporters.stop() }
    let terminal = try Pseudoterminal(columns: columns, rows: rows)
    let watch = try bench.sandbox.start(Workbench.command, ["watch"], on: terminal)
    try terminal.wait(untilShown: "\(jobs) running", columns: Int(columns))
    // The first frames are not measured.
    try take(terminal, seconds: 2)
    let (process, runner) = (ProcessFigures(pid: watch.pid), try bench.runner())
    let before = (process.cpuSeconds, runner.cpuSeconds, terminal.written)
    let start = AwakeClock.now()
    try take(terminal, seconds: seconds)
    let span = bench.milliseconds(since: start) / 1_000
    let bytes = terminal.written - before.2
    let shares = (process.cpuSeconds - before.0, runner.cpuSeconds - before.1)
    watch.signal(Signal.terminate)
    try bench.stopRunner()
    // For comparison: whole screens, ten times a second.
    let screens = Double(columns) * Double(rows) * 10 / 1_024
    return [
      Row(
        name: "watch, \(jobs) jobs at full speed: KiB a second to the terminal", unit: .kibibytes,
        ours: Series([Double(bytes) / span / 1_024]),
        reference: .init(name: "whole screens", series: Series([screens])),
        budget: .ratioAtMost(0.4)),
      Row(
        name: "  of one core", unit: .percent, ours: Series([shares.0 / span * 100]),
        budget: .atMost(3)),
      Row(name: "  of one core, its runner", unit: .percent, ours: Series([shares.1 / span * 100])),
    ]
  }

  /// Reads for this long, as a fast terminal does.
  private static func take(_ terminal: Pseudoterminal, seconds: UInt64) throws {
    let end = AwakeClock.now() + seconds * 1_000_000_000
    while AwakeClock.now() < end {
      _ = terminal.written
      _ = try Poll.wait([], until: AwakeClock.now() + 10_000_000)
    }
  }
}
