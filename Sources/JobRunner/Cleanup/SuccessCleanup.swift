import JobCore
import JobRuntime
import JobWire

/// Removes the log or all files of jobs that succeeded, if their submission asks for that.
///
/// A moment after the end, and not before the clients that follow the job have read all of its output.
final class SuccessCleanup: Part {
  private static let pause = Interval.seconds(2)
  /// A reader may stand still for days; the runner does not wake every two seconds for it.
  private static let longestPause = Interval.minutes(1)

  private struct Entry {
    let number: JobNumber
    let forgets: Bool
    var at: Instant
    var pause = SuccessCleanup.pause
  }

  private let mayRemove: (JobNumber) -> Bool
  private let forget: (JobNumber) -> Void
  private let removeLog: (JobNumber) -> Void
  /// The earliest first.
  private var entries: [Entry] = []

  /// `mayRemove`: whether the job is over, its on-end command has ended, and no client follows it.
  init(
    mayRemove: @escaping (JobNumber) -> Bool, forget: @escaping (JobNumber) -> Void,
    removeLog: @escaping (JobNumber) -> Void
  ) {
    self.mayRemove = mayRemove
    self.forget = forget
    self.removeLog = removeLog
  }

  var nextDue: Instant? { entries.first?.at }

  func jobEnded(_ job: LiveJob, at now: Instant) {
    guard job.details.forgetsOnSuccess || job.details.logsOnlyFailure,
      case .ended(.succeeded, _) = job.state
    else { return }
    insert(Entry(number: job.number, forgets: job.details.forgetsOnSuccess, at: now + Self.pause))
  }

  private func insert(_ entry: Entry) {
    entries.insert(entry, at: (entries.lastIndex { $0.at <= entry.at } ?? -1) + 1)
  }

  func act(at now: Instant) {
    while let first = entries.first, first.at <= now { settle(entries.removeFirst(), at: now) }
  }

  /// Before the runner leaves: removes what may be, if asked to, and returns the jobs that the next runner has to
  /// remove.
  func finish(removing: Bool) -> [JobNumber] {
    defer { entries = [] }
    return entries.filter { entry in
      guard removing, mayRemove(entry.number) else { return true }
      remove(entry)
      return false
    }.map(\.number)
  }

  /// An earlier runner left before it could remove this job, or its log.
  func restore(_ job: JobRecord, at now: Instant) {
    guard job.details.forgetsOnSuccess || job.details.logsOnlyFailure,
      case .ended(.succeeded, _) = job.state
    else { return }
    insert(Entry(number: job.number, forgets: job.details.forgetsOnSuccess, at: now + Self.pause))
  }

  private func settle(_ entry: Entry, at now: Instant) {
    if mayRemove(entry.number) { return remove(entry) }
    var entry = entry
    entry.pause = min(entry.pause * 2, Self.longestPause)
    entry.at = now + entry.pause
    insert(entry)
  }

  private func remove(_ entry: Entry) {
    if entry.forgets { forget(entry.number) } else { removeLog(entry.number) }
  }
}
