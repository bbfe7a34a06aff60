import LinuxSystem
import TestKit

/// The cost of a long queue: the time of one more submission and of a list, and the runner's memory.
enum QueueRows {
  private static let sizes = [0, 1_000, 10_000, 100_000]
  private static let each = 40

  struct Result {
    var rows: [Row]
    var plots: [Plot]
  }

  static func measure(_ bench: Workbench) throws -> Result {
    let channel = try bench.channel()
    let runner = try bench.runner()
    let idle = runner.residentKibibytes
    _ = try channel.submit(["sleep", "100000"], count: 2)
    var queued = 0
    var times: [Curve.Point] = []
    var memory: [Curve.Point] = []
    var first = Series()
    var last = Series()
    for size in sizes {
      _ = try channel.submit(["true"], count: size - queued)
      last = try submissions(bench)
      if size == 0 { first = last }
      queued = size + last.samples.count
      times.append(.init(x: Double(max(1, size)), y: last.median))
      memory.append(.init(x: Double(max(1, size)), y: runner.residentKibibytes / 1024))
    }
    let perJob = (runner.residentKibibytes - idle) / Double(queued)
    let wakeups = IdleRows.wakeups(runner)
    let lists = try lists(bench, queued)
    try bench.run(bench.jobrun("runner", "restart"))
    // After the memory for reading them all was freed.
    _ = try Poll.wait([], until: AwakeClock.now() + 3_000_000_000)
    let restored = (try bench.runner().residentKibibytes - idle) / Double(queued)
    try bench.stopRunner()
    return Result(
      rows: rows(first: first, last: last, idle: idle, perJob: perJob, wakeups: wakeups) + lists + [
        Row(
          name: "memory of a queued job after a restart", unit: .kibibytes,
          ours: Series([restored]),
          reference: .init(name: "before", series: Series([perJob])), budget: .atMost(2))
      ],
      plots: [
        Plot(
          name: "queue-submit", title: "One more submission, by jobs already queued",
          xTitle: "jobs queued", yTitle: "ms, whole process",
          curves: [Curve(name: "jobrun submit --detach", points: times)]),
        Plot(
          name: "queue-memory", title: "Memory of the runner, by jobs queued",
          xTitle: "jobs queued", yTitle: "MiB", curves: [Curve(name: "jobrund", points: memory)]),
      ])
  }

  private static func submissions(_ bench: Workbench) throws -> Series {
    let submit = try bench.jobrun("run", "--detach", "--", "true")
    return Series(try (0..<each).map { _ in try bench.time(submit) })
  }

  /// `list` beside a listing of as many files, in turns.
  private static func lists(_ bench: Workbench, _ count: Int) throws -> [Row] {
    let folder = bench.sandbox.path("files")
    try File.makeDirectory(folder)
    for number in 0..<count { _ = try File.open("\(folder)/\(number)", [.write, .create]) }
    var turns = Alternation()
    let list = try bench.jobrun("list")
    turns.add("list") { try bench.time(list) }
    turns.add("ls -l") { try bench.time(["ls", "-l", folder]) }
    let series = try turns.run(rounds: 5)
    return [
      Row(
        name: "list, 100,000 queued", unit: .milliseconds, ours: series["list"] ?? Series(),
        reference: .init(name: "ls -l of as many files", series: series["ls -l"] ?? Series()),
        budget: .atMost(400))
    ]
  }

  private static func rows(
    first: Series, last: Series, idle: Double, perJob: Double, wakeups: Double
  ) -> [Row] {
    [
      Row(
        name: "submit --detach with 100,000 queued", unit: .milliseconds, ours: last,
        reference: .init(name: "empty queue", series: first), budget: .ratioAtMost(1.2)),
      Row(
        name: "memory of a queued job", unit: .kibibytes, ours: Series([perJob]),
        budget: .atMost(2)),
      Row(
        name: "memory of an idle runner", unit: .mebibytes, ours: Series([idle / 1024]),
        budget: .atMost(10)),
      Row(
        name: "wake-ups of a runner in 10 s, 100,000 queued", unit: .count,
        ours: Series([wakeups]), budget: .atMost(0)),
    ]
  }
}
