import JobCore
import JobWire

/// The queue's order, followed from the feed: a job's line tells its place when it came, and nobody
/// tells the others that they moved up.
struct WaitingOrder {
  /// First to start first.
  private(set) var numbers: [JobNumber] = []
  /// The place, from 1, that each of them was last told.
  private var paths: [JobNumber: Int] = [:]

  /// Takes one line of a snapshot, whose places are all of the same instant.
  mutating func receiveSnapshot(_ job: JobStatus) {
    guard job.state == .queued, paths[job.number] == nil else { return receive(job) }
    let place = job.position ?? .max
    paths[job.number] = place
    // They mostly come in order: the place is then found at the end.
    let before = numbers.lastIndex { (paths[$0] ?? 0) <= place }
    numbers.insert(job.number, at: before.map { $0 + 1 } ?? 0)
  }

  /// Takes an event, which tells the place at its instant.
  mutating func receive(_ job: JobStatus) {
    let isQueued = job.state == .queued
    if paths[job.number] != nil, let index = numbers.firstIndex(of: job.number) {
      // Only its reason changed.
      if isQueued, job.position == index + 1 { return }
      numbers.remove(at: index)
      paths[job.number] = nil
    }
    guard isQueued else { return }
    paths[job.number] = job.position ?? .max
    numbers.insert(job.number, at: min(max(0, (job.position ?? .max) - 1), numbers.count))
  }
}
