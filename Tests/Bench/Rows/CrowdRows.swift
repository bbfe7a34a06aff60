import JobCore
import JobPage
import JobWire
import LinuxSystem
import Synchronization
import TestKit

/// Many at once: submitters, jobs and terminals.
enum CrowdRows {
  private static let submitters = 32
  private static let submissions = 1_000
  private static let running = 500
  private static let terminals = 200

  static func measure() throws -> [Row] {
    try submit() + run()
  }

  /// A thousand submissions by thirty-two clients at the same time, and a reader of the feed that was
  /// there before.
  private static func submit() throws -> [Row] {
    let bench = try Workbench(rounds: 1)
    _ = try bench.channel()
    let witness = try Witness(bench)
    let command = try bench.jobrun("run", "--detach", "--", "true")
    let start = AwakeClock.now()
    var failures = 0
    var live: [Int32] = []
    for _ in 0..<submissions {
      if live.count == submitters { failures += try failed(live.removeFirst()) }
      live.append(try bench.start(command))
    }
    for pid in live { failures += try failed(pid) }
    let submitted = bench.milliseconds(since: start)
    try Settling.wait(on: bench.channel())
    let listed = try Listing.ended(try bench.channel())
    let testimony = try witness.testimony()
    try bench.stopRunner()
    return [
      Row(
        name: "1,000 submits by 32 clients", unit: .perSecond,
        ours: Series([Double(submissions) / submitted * 1_000])),
      Row(
        name: "  refused, or without a success in the end", unit: .count,
        ours: Series([Double(failures + submissions - listed.succeeded)]), budget: .atMost(0)),
      Row(
        name: "  started before one that was accepted earlier", unit: .count,
        ours: Series([Double(testimony.overtakings)]), budget: .atMost(0)),
      Row(
        name: "  events that a reader of the feed missed", unit: .count,
        ours: Series([Double(testimony.missing(jobs: submissions))]), budget: .atMost(0)),
    ]
  }

  /// Five hundred jobs at the same time, and two hundred terminals attached to them.
  private static func run() throws -> [Row] {
    let bench = try Workbench(rounds: 1, slots: running)
    let channel = try bench.channel()
    let start = AwakeClock.now()
    let jobs = try channel.submit(["sleep", "100000"], count: running)
    for job in jobs { _ = try LatencyRows.writer(of: job, bench) }
    let launched = bench.milliseconds(since: start)
    let watchers = try (0..<terminals).map { index in
      try Onlooker(startedAt: jobs[index], bench)
    }
    for watcher in watchers { try watcher.waitForPicture() }
    let memory = try bench.runner().residentKibibytes / 1024
    try bench.stopRunner()
    var wrong = 0
    for watcher in watchers where try watcher.process.wait().status != 76 { wrong += 1 }
    return [
      Row(name: "500 jobs started", unit: .milliseconds, ours: Series([launched])),
      Row(
        name: "  memory of their runner, 200 terminals attached", unit: .mebibytes,
        ours: Series([memory])),
      Row(
        name: "  terminals that were not told of the end", unit: .count,
        ours: Series([Double(wrong)]), budget: .atMost(0)),
    ]
  }

  private static func failed(_ pid: Int32) throws -> Int {
    try LinuxSystem.ChildProcess.wait(pid).status == .exited(0) ? 0 : 1
  }
}
