import Foundation
import JobCore
import JobPage
import JobWire
import LinuxSystem
import TestKit

/// From a report in the page to its figures on an attached terminal.
enum LatencyRows {
  private static let reports = 200

  static func measure(_ bench: Workbench) throws -> [Row] {
    let channel = try bench.channel()
    let job = try channel.submit(["sleep", "100000"], count: 1)[0]
    let page = try writer(of: job, bench)
    page.setTotal(1_000_000)
    page.setCompleted(1)
    let terminal = try Pseudoterminal(columns: 120)
    let attached = try bench.sandbox.start(Workbench.command, ["attach", "\(job)"], on: terminal)
    _ = try terminal.read(until: "1/1000000")
    var samples: [Double] = []
    for report in 0..<reports {
      // At any phase of the terminal's own rhythm.
      _ = try Poll.wait([], until: AwakeClock.now() + UInt64.random(in: 50_000_000...250_000_000))
      let count = UInt64(1_000 + report)
      let start = AwakeClock.now()
      page.setCompleted(count)
      _ = try terminal.read(until: "\(count)/1000000")
      samples.append(bench.milliseconds(since: start))
    }
    attached.signal(Signal.terminate)
    try bench.stopRunner()
    let series = Series(samples)
    return [
      Row(
        name: "report → attached terminal, p99 of \(reports)", unit: .milliseconds,
        ours: Series([series.quantile(0.99)]), budget: .atMost(150)),
      Row(
        name: "report → attached terminal, median", unit: .milliseconds,
        ours: Series([series.median])),
    ]
  }

  /// Waits until the job has its page, and maps it.
  static func writer(of job: JobNumber, _ bench: Workbench) throws -> PageWriter {
    let deadline = AwakeClock.now() + 10_000_000_000
    let path = Paths.page(job, attempt: 1, in: try bench.runtime())
    while AwakeClock.now() < deadline {
      if let writer = try? PageWriter(path: path) { return writer }
      _ = try Poll.wait([], until: AwakeClock.now() + 1_000_000)
    }
    throw Fault("job \(job) has no page at \(path)")
  }
}
