import JobCore
import JobRuntime
import JobStore
import JobWire

extension Runner {
  /// Finds out, once for each job, how long earlier runs of its definition took.
  func recallEarlierRuns(_ card: inout LiveJob) {
    guard card.earlier == nil, let definition = card.definition else { return }
    let filter = EndedFilter(outcome: .succeeded, definition: definition)
    let rows = try? store.endedJobs(filter, before: nil, limit: EarlierRuns.wanted)
    var earlier = EarlierRuns()
    for row in rows ?? [] { earlier.add(row) }
    card.earlier = earlier
  }
}

extension EarlierRuns {
  fileprivate mutating func add(_ row: StoredJob) {
    guard let started = row.startedMilliseconds, let ended = row.endedMilliseconds, ended > started
    else { return }
    let unit = row.progress.flatMap { JobProgress.Unit(rawValue: $0.unit) } ?? .items
    add(
      .milliseconds(UInt64(ended - started)), total: row.progress?.total ?? 0,
      unit: PageSample.Unit(unit))
  }
}
