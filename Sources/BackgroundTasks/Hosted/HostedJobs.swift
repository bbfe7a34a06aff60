internal import JobCore
internal import JobWire

/// The tasks that a process hosts: a value without threads or connections.
struct HostedJobs {
  /// One attempt of a task.
  struct Attempt: Hashable {
    var number: JobNumber
    var attempt: Int
  }

  /// Submissions that have no answer yet.
  private var asked = 0
  /// Tasks that wait for their turn, or whose end the runner has not reported yet.
  private var waiting: Set<JobNumber> = []
  private(set) var running: Set<Attempt> = []
  /// Completed, and the runner has not said that it heard.
  private(set) var unheard: Set<Attempt> = []
  /// Ended for people while they run here, or while their submission has no answer yet.
  private var ended: Set<JobNumber> = []

  /// Whether the runner must be able to reach this process.
  var isBusy: Bool { asked > 0 || !waiting.isEmpty || !running.isEmpty || !unheard.isEmpty }

  /// How this process makes itself known.
  func claim(_ mark: String) -> HostClaim {
    HostClaim(
      host: mark, running: running.map(\.number).sorted(), waiting: waiting.sorted())
  }

  mutating func ask() {
    asked += 1
  }

  /// The answer to a submission; nil = it was refused.
  mutating func answer(_ number: JobNumber?) {
    asked -= 1
    if let number, !ended.contains(number), !isKnown(number) { waiting.insert(number) }
    if asked == 0 { ended.formIntersection(running.map(\.number)) }
  }

  private func isKnown(_ number: JobNumber) -> Bool {
    running.contains { $0.number == number } || unheard.contains { $0.number == number }
  }

  /// Whether an offered attempt is new and to be run.
  mutating func begin(_ attempt: Attempt) -> Bool {
    guard !running.contains(attempt), !unheard.contains(attempt) else { return false }
    waiting.remove(attempt.number)
    running.insert(attempt)
    return true
  }

  /// It is kept until the runner has confirmed it, and awaited until the runner reports its end: a deferred
  /// task comes again.
  mutating func complete(_ attempt: Attempt) {
    running.remove(attempt)
    unheard.insert(attempt)
    if ended.remove(attempt.number) == nil { waiting.insert(attempt.number) }
  }

  mutating func hear(_ attempt: Attempt) {
    unheard.remove(attempt)
  }

  /// The runner reports the end of a task; a running one continues.
  mutating func end(_ number: JobNumber) {
    waiting.remove(number)
    if asked > 0 || running.contains(where: { $0.number == number }) { ended.insert(number) }
  }
}
