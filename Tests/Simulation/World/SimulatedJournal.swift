import JobCore
import JobRuntime

/// A journal on a simulated disk: it may be full, its process may die before, within and after a commit, and a
/// power cut loses unsynced writes.
struct SimulatedJournal: Journal {
  /// The record of an ended job.
  struct End {
    let number: JobNumber
    let outcome: Outcome
    let reason: StopReason?
  }

  /// How a power cut undoes the changes since the last sync, the newest last.
  private enum Undoing {
    case row(JobNumber, LiveJob?)
    case lingering(JobNumber, LiveJob?)
    case ended(JobNumber, LiveJob?)
    case key(String)
    case batch(String)
    case sequence(UInt64)
    case boot(Int)
  }

  /// Live jobs.
  private(set) var rows: [JobNumber: LiveJob] = [:]
  /// Hosted jobs that have ended and whose processes still hold something.
  private(set) var lingering: [JobNumber: LiveJob] = [:]
  /// Jobs that have ended, and how.
  private(set) var ended: [JobNumber: LiveJob] = [:]
  private(set) var numbers: [String: JobNumber] = [:]
  /// The first of many in one, by their key.
  private(set) var batches: [String: AcceptedBatch] = [:]
  private(set) var sequence: UInt64 = 0
  /// Which boot its rows belong to, counted from 0.
  private(set) var storedBoot = 0
  /// Which boot it is now.
  private(set) var boot = 0
  private var unsynced: [Undoing] = []

  /// Whether all starts are paused, in any runner.
  var isRunnerPaused = false
  /// There is no room.
  var isFull = false
  /// The point of the next commit where its process dies, if it should.
  var death: CrashPoint?
  /// Dying within a commit, it was quick enough.
  var isQuick = false
  private(set) var hasDied = false
  /// The ends of the last commits.
  private var ends: [End] = []
  private(set) var refusals = 0
  private(set) var losses = 0

  /// A number that no job in it ever had.
  var nextNumber: JobNumber {
    let last = max(rows.keys.max() ?? JobNumber(0), ended.keys.max() ?? JobNumber(0))
    return JobNumber(last.value + 1)
  }

  mutating func commit(_ commit: inout Commit, of jobs: LiveJobTable) -> JournalRefusal? {
    if death == .beforeStoring || death == .withinStoring && !isQuick {
      hasDied = true
      return JournalRefusal("nobody hears this")
    }
    if isFull {
      refusals += 1
      return JournalRefusal("no space is left")
    }
    if death == .withinStoring || death == .afterStoring { hasDied = true }
    write(&commit, jobs)
    if commit.durability == .full { unsynced = [] }
    return nil
  }

  func job(withKey key: String) throws(JournalRefusal) -> JobNumber? { numbers[key] }

  func outcome(of number: JobNumber) -> Outcome? { ended[number]?.outcome }

  /// Ended jobs that may be redone.
  var redoable: [LiveJob] {
    ended.keys.sorted().compactMap { ended[$0] }
      .filter { $0.outcome != .succeeded && $0.host == nil }
  }

  /// Whether a job that another one took the place of has that one here, live or ended.
  func hasSuccessor(of job: LiveJob, named reason: StopReason) -> Bool {
    [rows, ended].contains { stored in
      stored.values.contains { other in
        other.number > job.number && other.submission.identifier == job.submission.identifier
          && reason.message.hasPrefix("job \(other.number) ")
      }
    }
  }

  /// The ends that were stored since this was asked last.
  mutating func takeEnds() -> [End] {
    guard !ends.isEmpty else { return [] }
    defer { ends = [] }
    return ends
  }

  /// Another process opens it.
  mutating func reopen() {
    (hasDied, death) = (false, nil)
    ends = []
  }

  /// A power cut: unsynced changes were never written.
  mutating func losePower() {
    losses += unsynced.count
    for undoing in unsynced.reversed() {
      switch undoing {
      case .row(let number, let before): rows[number] = before
      case .lingering(let number, let before): lingering[number] = before
      case .ended(let number, let before): ended[number] = before
      case .key(let key): numbers[key] = nil
      case .batch(let key): batches[key] = nil
      case .sequence(let before): sequence = before
      case .boot(let before): storedBoot = before
      }
    }
    unsynced = []
  }

  /// The machine is started again.
  mutating func bootAgain() { boot += 1 }

  /// Stores which boot it is, where no commit did.
  mutating func storeBoot() {
    guard storedBoot != boot else { return }
    unsynced.append(.boot(storedBoot))
    storedBoot = boot
  }

  private mutating func write(_ commit: inout Commit, _ jobs: LiveJobTable) {
    storeBoot()
    unsynced.append(.sequence(sequence))
    for batch in commit.batches {
      unsynced.append(.batch(batch.key))
      batches[batch.key] = batch
    }
    for number in commit.changed {
      guard let job = jobs[number] else { continue }
      if commit.specifications[number] != nil {
        unsynced.append(.key(job.submission.key))
        numbers[job.submission.key] = number
      }
      set(number, job)
    }
    for number in commit.released {
      unsynced.append(.lingering(number, lingering[number]))
      lingering[number] = nil
    }
    for index in commit.lines.indices {
      sequence += 1
      commit.lines[index].sequence = sequence
    }
  }

  private mutating func set(_ number: JobNumber, _ job: LiveJob) {
    unsynced.append(.row(number, rows[number]))
    unsynced.append(.ended(number, ended[number]))
    guard case .ended(let outcome, let reason) = job.state else {
      // A redone job has not ended any more.
      (rows[number], ended[number]) = (job, nil)
      return
    }
    (rows[number], ended[number]) = (nil, job)
    ends.append(End(number: number, outcome: outcome, reason: reason))
    guard job.lingers else { return }
    unsynced.append(.lingering(number, lingering[number]))
    lingering[number] = job
  }
}

extension LiveJob {
  var outcome: Outcome? { if case .ended(let outcome, _) = state { outcome } else { nil } }
}
