import JobCore
import JobStore
import JobWire

// The totals of `jobrun history`.
extension JobLists {
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
