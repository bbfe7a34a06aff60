import JobCore
import JobPage
import JobWire
import LinuxSystem
import Synchronization
import TestKit

/// Many at once: readers of the feed, submitters, jobs and terminals.
enum CrowdRows {
  private static let subscribers = 1_000
  private static let reporting = 100
  private static let submitters = 32
  private static let submissions = 1_000
  private static let running = 500
  private static let terminals = 200

  static func measure() throws -> [Row] {
    try feed() + submit() + run()
  }

  /// The runner's share of a core while a thousand read the progress of a hundred jobs that report
  /// all the time.
  private static func feed() throws -> [Row] {
    let bench = try Workbench(rounds: 1, slots: reporting)
    let channel = try bench.channel()
    let jobs = try channel.submit(["sleep", "100000"], count: reporting)
    let reporters = try Reporters(jobs, bench)
    let readers = try (0..<subscribers).map { _ in try bench.channelToRunner() }
    for reader in readers { try reader.send(.feed(since: nil, progressHertz: 10)) }
    try Readers.read(readers, nanoseconds: 2_000_000_000)
    let runner = try bench.runner()
    let cpu = runner.cpuSeconds
    let start = AwakeClock.now()
    let bytes = try Readers.read(readers, nanoseconds: 10_000_000_000)
    let seconds = bench.milliseconds(since: start) / 1_000
    let share = (runner.cpuSeconds - cpu) / seconds * 100
    reporters.stop()
    try bench.stopRunner()
    return [
      Row(
        name: "runner, 1,000 feed readers of 100 jobs at full speed: of one core", unit: .percent,
        ours: Series([share]), budget: .atMost(20)),
      Row(
        name: "  bytes a second to all readers", unit: .mebibytes,
        ours: Series([Double(bytes) / seconds / 1_048_576])),
    ]
  }

  /// A thousand submissions by thirty-two clients at the same time.
  private static func submit() throws -> [Row] {
    let bench = try Workbench(rounds: 1)
    _ = try bench.channel()
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
    try bench.stopRunner()
    return [
      Row(
        name: "1,000 submits by 32 clients", unit: .perSecond,
        ours: Series([Double(submissions) / submitted * 1_000])),
      Row(
        name: "  refused, or without a success in the end", unit: .count,
        ours: Series([Double(failures + submissions - listed.succeeded)]), budget: .atMost(0)),
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
      try Watcher(of: jobs[index], bench.sandbox)
    }
    for watcher in watchers { _ = try watcher.terminal.read(until: "bench") }
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

/// A terminal attached to a job.
private struct Watcher {
  let terminal: Pseudoterminal
  let process: TestKit.ChildProcess

  init(of job: JobNumber, _ sandbox: Sandbox) throws {
    terminal = try Pseudoterminal()
    process = try sandbox.start(Workbench.command, ["attach", "\(job)"], on: terminal)
  }
}
