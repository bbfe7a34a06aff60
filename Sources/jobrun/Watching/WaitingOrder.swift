import JobCore
import JobWire

/// The queue's order, followed from the feed: a job's line has its place at that time, and there are no lines
/// when other jobs move up.
struct WaitingOrder {
  /// First to start first.
  private(set) var numbers: [JobNumber] = []
  /// The last reported place of each job, from 1.
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
