import JobCore
import JobStore
import JobWire

// `jobrun history`: a page of ended jobs at a time, and the totals.
extension JobLists {
  /// The next of the ended jobs that a client asked for, newest end first; an empty page is the end.
  func page(
    of query: HistoryQuery, _ listing: inout Client.Listing
  ) throws(StoreError) -> [JobRecord] {
    let wanted = query.limit == 0 ? Int.max : query.limit - listing.count
    let limit = min(Limits.listPage, wanted)
    guard limit > 0 else { return [] }
    let rows = try store.endedJobs(EndedFilter(query), before: listing.before, limit: limit)
    listing.before = rows.last.map {
      EndedMark(endedMilliseconds: $0.endedMilliseconds ?? 0, number: $0.number)
    }
    return rows
  }

  /// Adds some more ended jobs to the totals; whether they were the last.
  func add(
    to listing: inout Client.Listing, _ query: HistoryQuery
  ) throws(StoreError) -> Bool {
    let runs = try store.endedRuns(
      EndedFilter(query), before: listing.before, limit: Self.maximumAddedUp)
    for run in runs {
      listing.totals[run.outcome, default: OutcomeTotal(run.outcome)].add(run.milliseconds)
    }
    listing.before = runs.last?.mark
    return runs.count < Self.maximumAddedUp
  }

  /// The most ended jobs that are added up at once: some ten milliseconds' work.
  private static let maximumAddedUp = 4_096
}

extension EndedFilter {
  fileprivate init(_ query: HistoryQuery) {
    self.init(
      outcome: query.outcome, definition: query.definition, since: query.since?.milliseconds)
    until = query.until?.milliseconds
    group = query.group
    title = query.title
  }
}
