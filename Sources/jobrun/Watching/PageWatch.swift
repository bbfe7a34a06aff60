import JobCore
import JobPage
import JobWire
import LinuxSystem

/// Looks at the page of a job's present attempt, and notices when nothing moves there.
struct PageWatch: ~Copyable {
  private var reader: PageReader?
  private var attempt = 0
  private var last: PageSnapshot?
  private var movedAt = AwakeClock.now()

  /// The last look showed other counts or words than the one before it.
  private(set) var hasMoved = false

  /// Nothing has moved for a minute: looking less often will do.
  var isStill: Bool { AwakeClock.now() - movedAt > 60_000_000_000 }

  /// What the page shows; nil while the job has none.
  mutating func look(at job: JobObject, runtime: String?) -> PageSnapshot? {
    hasMoved = false
    guard let runtime, job.attempt > 0, job.state.hasPage else { return nil }
    if attempt != job.attempt {
      attempt = job.attempt
      reader = nil
      last = nil
    }
    if reader == nil {
      reader = try? PageReader(path: Places.page(job.number, attempt: attempt, in: runtime))
    }
    guard let snapshot = reader?.snapshot() else { return nil }
    if snapshot != last { movedAt = AwakeClock.now() }
    hasMoved = snapshot.tells != last?.tells ?? PageSnapshot().tells
    last = snapshot
    return snapshot
  }
}

extension PageSnapshot {
  /// What is worth a line of its own.
  fileprivate var tells: [UInt64] { [completed, total, textSequence] }
}

extension JobObject.State {
  /// A worker may be writing its page.
  var hasPage: Bool {
    switch self {
    case .launching, .running, .stalled, .stopping: true
    case .queued, .ended: false
    }
  }
}
