import JobCore
import JobPage
import JobWire
import LinuxSystem

/// Samples the page of a job's current attempt, and notices when it stops changing.
struct PageWatch: ~Copyable {
  private var reader: PageReader?
  private var attempt = 0
  private var last: PageSnapshot?
  private var movedAt = AwakeClock.now()

  /// Whether the last sample has other counts or texts than the one before it.
  private(set) var hasMoved = false

  /// Whether the last sample differs from the one before it.
  private(set) var hasChanged = false

  /// The time without a change, in nanoseconds.
  var rest: UInt64 { AwakeClock.now() - movedAt }

  /// The content of the page; nil while the job has none.
  ///
  /// `runtime` is only evaluated to open a page.
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
  /// The values whose change deserves a new line.
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
