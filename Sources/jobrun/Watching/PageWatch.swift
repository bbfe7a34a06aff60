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

  /// The last look showed anything else than the one before it.
  private(set) var hasChanged = false

  /// How long nothing has changed, in nanoseconds.
  var rest: UInt64 { AwakeClock.now() - movedAt }

  /// What the page shows; nil while the job has none.
  ///
  /// `runtime` is found out only when a page is to be opened.
  mutating func look(at job: JobStatus, runtime: @autoclosure () -> String?) -> PageSnapshot? {
    hasMoved = false
    hasChanged = false
    guard job.attempt > 0, job.state.hasPage else { return nil }
    if attempt != job.attempt {
      attempt = job.attempt
      movedAt = AwakeClock.now()
      reader = nil
      last = nil
    }
    if reader == nil, let runtime = runtime() {
      reader = try? PageReader(path: Paths.page(job.number, attempt: attempt, in: runtime))
    }
    guard let snapshot = reader?.snapshot() else { return nil }
    hasChanged = snapshot != last
    if hasChanged { movedAt = AwakeClock.now() }
    hasMoved = snapshot.tells != last?.tells ?? PageSnapshot().tells
    last = snapshot
    return snapshot
  }
}

extension PageSnapshot {
  /// What is worth a line of its own.
  fileprivate var tells: [UInt64] { [completed, total, textSequence] }
}

extension JobStatus.State {
  /// A worker may be writing its page.
  var hasPage: Bool {
    switch self {
    case .launching, .running, .stalled, .paused, .stopping: true
    case .queued, .ended: false
    }
  }
}
