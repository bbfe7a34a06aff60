import JobCore
import JobStore
import JobWire

/// Writes lists of jobs as fast as their readers take them, a page at a time.
struct JobLists {
  private let connections: Connections
  let store: Store
  private let paths: Paths
  private unowned let jobs: any JobDirectory

  init(connections: Connections, store: Store, paths: Paths, jobs: any JobDirectory) {
    self.connections = connections
    self.store = store
    self.paths = paths
    self.jobs = jobs
  }

  /// Writes the next page of the list that the client asked for first.
  func listMore(to client: Client) {
    guard var listing = client.listings.first else { return }
    do throws(StoreError) {
      let isDone = try write(&listing, to: client)
      client.listings[0] = listing
      guard isDone else { return }
      connections.send(.ok(id: listing.id, end(of: listing)), to: client)
    } catch {
      let problem = "the list cannot be read: \(error.message)"
      connections.send(.error(id: listing.id, WireError(error.code, problem)), to: client)
    }
    client.listings.removeFirst()
  }

  private func end(of listing: Client.Listing) -> Response {
    if listing.history?.isOfTotals ?? false {
      return .totals(Outcome.allCases.compactMap { listing.totals[$0] })
    }
    let isOfLive = listing.history == nil && listing.named == nil
    return .count(listing.count, isHeld: isOfLive && jobs.isHeld)
  }

  /// Writes one page of a list in ascending order, live jobs with their current state, ended ones as stored;
  /// whether it was the last.
  private func write(
    _ listing: inout Client.Listing, to client: Client
  ) throws(StoreError) -> Bool {
    if let query = listing.history, query.isOfTotals { return try add(to: &listing, query) }
    if let query = listing.history {
      let rows = try page(of: query, &listing)
      for row in rows { write(row.object(paths: paths), of: &listing, to: client) }
      return rows.isEmpty
    }
    if let named = listing.named {
      let numbers = named.suffix(Limits.listPage)
      listing.named = named.dropLast(numbers.count)
      for number in numbers.reversed() {
        write(jobs.freshObject(of: number) ?? jobs.stored(number), of: &listing, to: client)
      }
      return numbers.count < Limits.listPage
    }
    if let last = listing.lastLive {
      if listing.folds { return writeFolded(&listing, until: last, to: client) }
      let numbers = jobs.liveNumbers.page(after: listing.after, limit: Limits.listPage)
        .prefix { $0 <= last }
      listing.after = numbers.last ?? last
      for number in numbers
      where listing.group.map({ jobs.group(of: number) == $0 }) ?? true {
        write(
          jobs.freshObject(of: number, isBrief: listing.isBrief), of: &listing, to: client)
      }
      return numbers.count < Limits.listPage
    }
    let rows =
      if let group = listing.group {
        try store.jobs(of: group, after: listing.after, limit: Limits.listPage)
      } else {
        try store.jobs(endedToo: true, after: listing.after, limit: Limits.listPage)
      }
    listing.after = rows.last?.number ?? listing.after
    for row in rows {
      write(
        jobs.freshObject(of: row.number, isBrief: listing.isBrief) ?? row.object(paths: paths),
        of: &listing, to: client)
    }
    return rows.count < Limits.listPage
  }

  /// The same for a folded list.
  private func writeFolded(
    _ listing: inout Client.Listing, until last: JobNumber, to client: Client
  ) -> Bool {
    let numbers = jobs.liveNumbers.page(after: listing.after, limit: Limits.listPage)
      .prefix { $0 <= last }
    for (index, number) in zip(numbers.indices, numbers) where number > listing.after {
      listing.after = number
      if let group = listing.group, jobs.group(of: number) != group { continue }
      guard var object = jobs.freshObject(of: number, isBrief: true) else { continue }
      object.folded = fold(behind: number, numbers[(index + 1)...], until: last)
      listing.after = object.lastListed
      write(object, of: &listing, to: client)
    }
    return numbers.count < Limits.listPage
  }

  /// The jobs that are left out behind this one.
  ///
  /// More than `others`, the rest of the page, are looked at only if all of those are left out.
  private func fold(
    behind number: JobNumber, _ others: ArraySlice<JobNumber>, until last: JobNumber
  ) -> FoldedJobs? {
    let folded = jobs.waiting(like: number, others)
    guard let folded, folded.count == others.count else { return folded }
    let more = jobs.liveNumbers.page(after: number, limit: Self.maximumFolded).prefix { $0 <= last }
    return jobs.waiting(like: number, more)
  }

  /// The most jobs that are left out at once: a few milliseconds' work.
  private static let maximumFolded = 8_192

  private func write(_ object: JobStatus?, of listing: inout Client.Listing, to client: Client) {
    guard let object else { return }
    listing.count += object.listedCount
    let (id, isBrief) = (listing.id, listing.isBrief)
    client.output.append { bytes in
      if isBrief {
        ReplyLine.appendBrief(id: id, object, to: &bytes)
      } else {
        ReplyLine.job(id: id, object).append(to: &bytes)
      }
    }
  }
}
