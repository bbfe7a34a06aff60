import JobCore
import JobRuntime
import JobStore
import JobWire

extension LiveJob {
  /// Finds out, once for each job, how long earlier runs of its definition took; what is to be expected of it
  /// then, where they say so.
  mutating func recallEarlierRuns(from store: Store, for sample: PageSample) -> Interval? {
    guard earlier == nil, let definition else { return nil }
    let filter = EndedFilter(outcome: .succeeded, definition: definition)
    let rows = try? store.endedJobs(filter, before: nil, limit: EarlierRuns.wanted)
    var runs = EarlierRuns()
    for row in rows ?? [] { runs.add(row) }
    earlier = runs
    return runs.expected(total: sample.total, unit: sample.unit)
  }
}

extension EarlierRuns {
  fileprivate mutating func add(_ row: JobRecord) {
    guard let started = row.startedMilliseconds, let ended = row.endedMilliseconds, ended > started
    else { return }
    add(
      Interval.milliseconds(UInt64(ended - started)).less(row.pausedFor),
      total: row.progress?.total ?? 0,
      unit: row.progress?.unit ?? .items)
  }
}
