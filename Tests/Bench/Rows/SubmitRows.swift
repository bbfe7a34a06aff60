import LinuxSystem

/// `submit --detach` of a no-op, the whole process, beside the peers'.
enum SubmitRows {
  /// Submissions in one round; their median is the round's figure.
  private static let each = 40
  private static let append = "a durable append"
  private static let appendedTask = "tsp and a durable append"

  static func measure(rounds: Int) throws -> [Row] {
    let contest = try Contest(rounds: rounds)
    var turns = Alternation()
    contest.add(to: &turns) { peer in
      let command = peer.submit(["true"])
      return Series(try (0..<each).map { _ in try peer.bench.time(command) }).median
    }
    let file = try LimitRows.File(contest.bench)
    turns.add(append) { Series(try (0..<each).map { _ in try file.append() }).median }
    var series = try turns.run(rounds: rounds)
    try contest.end()
    if let task = series["tsp"], let append = series[append] {
      series[appendedTask] = Series(zip(task.samples, append.samples).map { $0 + $1 })
    }
    return contest.rows(
      "submit --detach, whole process", .milliseconds, series, inMemory: .ratioAtMost(1.1),
      onDisk: .ratioAtMost(1.3))
      + [
        Row(
          name: "submit --detach, whole process, state on the disk", unit: .milliseconds,
          ours: series[Contest.disk] ?? Series(),
          reference: series[appendedTask].map { .init(name: appendedTask, series: $0) })
      ]
  }
}
