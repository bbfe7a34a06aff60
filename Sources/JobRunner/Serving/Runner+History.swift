import JobCore
import JobRuntime
import JobStore
import JobWire

extension Runner {
  /// The next of the ended jobs that a client asked for, newest end first; an empty page is the end.
  func page(
    of query: HistoryQuery, _ listing: inout Client.Listing
  ) throws(StoreError) -> [JobObject] {
    let wanted = query.limit == 0 ? Int.max : query.limit - listing.count
    let limit = min(Limits.listPage, wanted)
    guard limit > 0 else { return [] }
    var filter = EndedFilter(
      outcome: query.outcome, definition: query.definition, since: query.since?.milliseconds)
    filter.until = query.until?.milliseconds
    filter.title = query.title
    let rows = try store.endedJobs(filter, before: listing.before, limit: limit)
    listing.before = rows.last.map {
      EndedMark(endedMilliseconds: $0.endedMilliseconds ?? 0, number: $0.number)
    }
    return rows.map { $0.object(places: home.places) }
  }

  /// Finds out, once for each job, how long earlier runs of its definition took.
  func recallEarlierRuns(_ card: inout JobCard) {
    guard card.earlier == nil, let definition = card.definition else { return }
    let filter = EndedFilter(outcome: .succeeded, definition: definition)
    let rows = try? store.endedJobs(filter, before: nil, limit: EarlierRuns.wanted)
    var earlier = EarlierRuns()
    for row in rows ?? [] { earlier.add(row) }
    card.earlier = earlier
  }
}

extension EarlierRuns {
  fileprivate mutating func add(_ row: JobRow) {
    guard let started = row.startedMilliseconds, let ended = row.endedMilliseconds, ended > started
    else { return }
    let unit = row.progress.flatMap { JobProgress.Unit(rawValue: $0.unit) } ?? .items
    add(
      .milliseconds(UInt64(ended - started)), total: row.progress?.total ?? 0,
      unit: PageSample.Unit(unit))
  }
}
