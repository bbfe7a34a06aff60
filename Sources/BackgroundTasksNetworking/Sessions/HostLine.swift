internal import JobCore

/// The running and waiting transfers of one host, in their order.
///
/// Up to `most` run at once. Each further transfer depends on one of these in the runner's queue, which
/// limits them while no process has the session open; while one has, the next is released as soon as there
/// is room.
struct HostLine {
  private struct Place {
    var number: Int
    var job: JobNumber
    var predecessor: JobNumber?
    var isSuspended = false
  }

  private var places: [Place] = []

  /// The job that a further transfer must wait for; nil = it may run.
  func predecessor(atMost most: Int) -> JobNumber? {
    guard places.count >= most, running >= most else { return nil }
    // One successor per job: the end of a job releases one transfer.
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

  /// The next transfer to be released, first one that waits for a suspended transfer; nil when none waits,
  /// or the maximum number runs.
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
