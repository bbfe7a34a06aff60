import JobCore
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
    let rows = try store.endedJobs(
      outcome: query.outcome, definition: query.definition,
      since: query.since?.milliseconds, before: listing.before, limit: limit)
    listing.before = rows.last.map {
      EndedMark(endedMilliseconds: $0.endedMilliseconds ?? 0, number: $0.number)
    }
    return rows.map { $0.object(places: home.places) }
  }
}
