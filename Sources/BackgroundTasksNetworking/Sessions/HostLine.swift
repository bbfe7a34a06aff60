internal import JobCore

/// The transfers of one host that are under way, in their order.
///
/// So many may run at once. Each of the others comes after one of these in the runner's queue, so that it holds
/// while no process has the session open; while one has, the next is let go of as soon as there is room.
struct HostLine {
  private struct Place {
    var number: Int
    var job: JobNumber
    var predecessor: JobNumber?
    var isSuspended = false
  }

  private var places: [Place] = []

  /// What one more has to come after; nil = it may run.
  func predecessor(atMost most: Int) -> JobNumber? {
    guard places.count >= most, running >= most else { return nil }
    // One behind each: its end lets one go.
    let taken = Set(places.compactMap(\.predecessor))
    let ends = places.filter { !taken.contains($0.job) }
    return (ends.first { !$0.isSuspended } ?? ends.first)?.job
  }

  mutating func add(_ number: Int, _ job: JobNumber, after predecessor: JobNumber?) {
    places.append(Place(number: number, job: job, predecessor: predecessor))
  }

  mutating func remove(_ number: Int) { places.removeAll { $0.number == number } }

  mutating func setSuspended(_ isSuspended: Bool, _ number: Int) {
    guard let index = places.firstIndex(where: { $0.number == number }) else { return }
    places[index].isSuspended = isSuspended
  }

  /// The next to be let go of, first what waits for one that stands still; nil when nothing waits, or so many
  /// run.
  mutating func letGo(atMost most: Int) -> Int? {
    guard places.contains(where: { $0.predecessor != nil }), running < most else { return nil }
    let still = Set(places.filter(\.isSuspended).map(\.job))
    let jobs = jobs
    let waiting = places.indices.filter { !places[$0].isSuspended && !mayRun(places[$0], jobs) }
    let next = waiting.first { places[$0].predecessor.map(still.contains) ?? false }
    guard let index = next ?? waiting.first else { return nil }
    places[index].predecessor = nil
    return places[index].number
  }

  private var jobs: Set<JobNumber> { Set(places.map(\.job)) }

  private var running: Int {
    let jobs = jobs
    return places.count { !$0.isSuspended && mayRun($0, jobs) }
  }

  private func mayRun(_ place: Place, _ jobs: Set<JobNumber>) -> Bool {
    place.predecessor.map { !jobs.contains($0) } ?? true
  }
}
