import JobCore
import JobWire

/// How long earlier runs of the same definition took, and what that says about this one.
struct EarlierRuns: Hashable {
  /// Runs that are asked for, the latest first.
  static let wanted = 9

  private struct Run: Hashable {
    var seconds: Double
    var total: UInt64
    var unit: JobProgress.Unit?
  }

  private var runs: [Run] = []

  /// What asks for them; nil for a plain command, which has no definition.
  static func query(_ job: JobObject) -> HistoryQuery? {
    guard let definition = job.definition else { return nil }
    var query = HistoryQuery()
    query.definition = definition
    query.outcome = .succeeded
    query.limit = wanted
    return query
  }

  mutating func add(_ job: JobObject) {
    guard let started = job.started, let ended = job.ended, ended > started else { return }
    runs.append(
      Run(
        seconds: Double(ended.milliseconds - started.milliseconds) / 1000,
        total: job.progress?.total ?? 0, unit: job.progress?.unit))
  }

  /// The median length, each run's scaled to as many units as this one has; nil without any.
  func expected(_ progress: JobProgress) -> Span? {
    let lengths = runs.map { run in
      let isComparable = run.total > 0 && progress.total > 0 && run.unit == progress.unit
      return isComparable
        ? run.seconds * Double(progress.total) / Double(run.total) : run.seconds
    }.sorted()
    guard !lengths.isEmpty else { return nil }
    let middle = lengths.count / 2
    let median =
      lengths.count % 2 == 1 ? lengths[middle] : (lengths[middle - 1] + lengths[middle]) / 2
    return .milliseconds(UInt64(min(median, 3e9) * 1000))
  }
}
