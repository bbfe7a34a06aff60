import JobClient
import JobCore
import JobWire

/// The state of `jobrun watch`, which keys and feed lines change.
///
/// A value without I/O: events in, requests out.
struct JobBoard {
  typealias Event = WatchEvent
  typealias Effect = WatchEffect

  /// The question before jobs are stopped, or how long they are to be paused.
  struct Confirmation: Hashable {
    enum Wish: Hashable {
      case cancel
      /// They are already stopping.
      case kill
      case pause
    }

    var jobs: [JobNumber]
    /// All jobs are of this batch, and all live jobs of the batch are meant.
    var batch: BatchKey?
    var wish = Wish.cancel
  }

  /// A title that is being typed.
  struct Retitling: Hashable {
    let job: JobNumber
    var text: TypedText
  }

  /// Ended jobs that are remembered.
  static let endedKept = 1_000

  private(set) var live: [JobNumber: JobStatus] = [:]
  private var waiting = WaitingOrder()
  /// Live jobs that do not wait.
  private(set) var started: Set<JobNumber> = []
  /// The latest end first.
  private(set) var ended: [JobStatus] = []
  /// Of the jobs that were submitted with others.
  private(set) var keys: [JobNumber: BatchKey] = [:]
  /// The selected row; nil until one is selected: then the first.
  var chosen: BoardRow?
  /// Batches that are opened.
  var opened: Set<BatchKey> = []
  /// Jobs that keys are about together.
  var marked: Set<JobNumber> = []
  var sorting = BoardSorting.number
  /// Jobs that were told to pause or resume without a confirmation yet.
  var askedToPause: [JobNumber: Bool] = [:]
  /// Failures since then are new; nil at the first use.
  var lookedAt: WallTime?
  /// Failed jobs that were selected since.
  var seen: Set<JobNumber> = []
  var confirmation: Confirmation?
  var retitling: Retitling?
  var notice: String?
  var pane = BoardPane.jobs
  var filter = TypedText()
  /// Whether the log was opened from its job's pane.
  var isLogOfJob = false
  /// What is searched for in a log.
  var search = TypedText()
  var logSteps: [LogWindow.Step] = []
  /// The step of PgUp and PgDn.
  var pageRows = 1
  private(set) var isLost = false
  /// Connected, and nothing has been answered yet.
  private(set) var isReading = false
  /// Turns the spinners of jobs that move.
  private(set) var frames: [JobNumber: Int] = [:]
  /// Of running jobs.
  private(set) var estimates: [JobNumber: PaceEstimate] = [:]
  /// The progress that the estimates are based on.
  private var toldProgress: [JobNumber: JobProgress] = [:]
  private var steady: [JobNumber: SteadyTime] = [:]
  /// When the reasons of waiting jobs were requested, and whether they have changed since.
  private var reasonsAskedAt: Instant?
  private var areReasonsOld = false
  /// Of running jobs, as shown.
  private(set) var timesLeft: [JobNumber: Interval] = [:]
  private var batchPaces: [BatchKey: ProgressEstimator] = [:]
  private var batchSteady: [BatchKey: SteadyTime] = [:]
  private(set) var batchTimesLeft: [BatchKey: Interval] = [:]

  mutating func handle(_ event: Event) -> [Effect] {
    switch event {
    case .feed, .listed, .refused, .answered: isReading = false
    default: break
    }
    switch event {
    case .feed(let line): receive(line)
    case .listed(let job): if job.state == .ended, live[job.number] == nil { remember(job) }
    case .refused(let error, let request): receive(error, of: request)
    case .answered(.job(let job, _), _): receiveAnswer(job)
    case .answered, .page, .clock: break
    case .key(let byte): return receiveKey(byte)
    case .move(let step): move(step)
    case .escape: escape()
    case .leave, .interrupt: return [.finish(ExitCode.detached)]
    case .lost: isLost = true
    case .connected: return connected()
    }
    return []
  }

  /// Running, stalled and stopping jobs, ascending; these and the others only if the filter matches.
  var active: [JobNumber] { filtered(started.sorted()) }

  /// In queue order.
  var queued: [JobNumber] { filtered(waiting.numbers) }
  var waitingNumbers: [JobNumber] { waiting.numbers }

  /// The latest end first.
  var past: [JobStatus] { filter.isEmpty ? ended : ended.filter(matches) }

  func job(_ number: JobNumber) -> JobStatus? {
    live[number] ?? ended.first { $0.number == number }
  }

  private func filtered(_ numbers: [JobNumber]) -> [JobNumber] {
    filter.isEmpty ? numbers : numbers.filter { live[$0].map(matches) ?? false }
  }

  private func matches(_ job: JobStatus) -> Bool {
    filter.matches([
      job.title, job.definition, job.identifier, job.terms.group, "\(job.number)",
    ])
  }
}

// MARK: From the runner

extension JobBoard {
  private mutating func connected() -> [Effect] {
    (isLost, isReading) = (false, true)
    forgetLive()
    var query = HistoryQuery()
    query.limit = Self.endedKept
    // What lives comes first.
    return [
      .ask(.feed(since: nil, progressHertz: Limits.progressHertzUsual, brief: true)),
      .ask(.history(query)),
    ]
  }

  private mutating func receive(_ error: WireError, of request: Request) {
    // The job may have ended before the request.
    if case .show = request { return }
    askedToPause = [:]
    notice = error.message
  }

  private mutating func receive(_ line: FeedLine) {
    switch line {
    case .snapshot(let job):
      keep(job)
      waiting.receiveSnapshot(job)
    case .progress(let job):
      guard live[job.number] != nil else { return }
      keep(job)
      frames[job.number, default: 0] += 1
    case .brief(let number, let progress):
      guard live[number] != nil else { return }
      live[number]?.progress = progress
      frames[number, default: 0] += 1
    case .event(_, _, _, let job): receiveEvent(job)
    case .gap: forgetLive()
    case .dropped: break
    }
  }

  /// The interval for requesting reasons of waiting jobs without a known change.
  static let reasonsEvery = Interval.seconds(5)
  private static let reasonsApart = Interval.seconds(1)

  /// Updates the remaining times, whenever the board is drawn with `rows` rows; returns the requests.
  mutating func look(at now: Moment, rows: Int = 24) -> [Effect] {
    pageRows = max(1, rows - 4)
    for number in started {
      guard let progress = live[number]?.progress else { continue }
      if toldProgress[number] != progress {
        toldProgress[number] = progress
        estimates[number, default: PaceEstimate()].receive(progress, at: now)
      }
      timesLeft[number] =
        steady[number, default: SteadyTime()].receive(estimates[number]?.remaining(at: now.awake))
    }
    for (key, batch) in batches where !batch.running.isEmpty {
      batchPaces[key, default: ProgressEstimator()].update(
        completed: thousandths(of: batch), at: now.awake)
      let left = batchPaces[key]?.remaining(
        total: UInt64(batch.total) * 1_000, at: now.awake, expected: nil, elapsed: .zero)
      batchTimesLeft[key] = batchSteady[key, default: SteadyTime()].receive(left)
    }
    return askForReasons(at: now.awake, rows: rows)
  }

  /// How far all of a batch are together, in thousandths of a job.
  func thousandths(of batch: BoardBatch) -> UInt64 {
    let begun = batch.running.reduce(0) { $0 + (live[$1]?.progress?.fraction ?? 0) }
    return UInt64(batch.endedCount) * 1_000 + UInt64(max(0, begun) * 1_000)
  }

  /// The reasons of waiting jobs change with every start and end, but the feed reports only the first in line:
  /// requests those on the screen.
  private mutating func askForReasons(at now: Instant, rows: Int) -> [Effect] {
    guard !isLost, pane == .jobs else { return [] }
    if !areReasonsOld, reasonsAskedAt == nil { reasonsAskedAt = now }
    let pause = areReasonsOld ? Self.reasonsApart : Self.reasonsEvery
    if let reasonsAskedAt, now - reasonsAskedAt < pause { return [] }
    let seen = self.rows.queued.prefix(rows)
    guard !seen.isEmpty else { return [] }
    reasonsAskedAt = now
    areReasonsOld = false
    return seen.compactMap { row in firstJob(of: row).map { .ask(.show(.number($0))) } }
  }

  private mutating func receiveAnswer(_ job: JobStatus) {
    guard live[job.number]?.state == .queued, job.state == .queued else { return }
    live[job.number] = job
  }

  /// A snapshot follows.
  private mutating func forgetLive() {
    live = [:]
    estimates = [:]
    toldProgress = [:]
    steady = [:]
    timesLeft = [:]
    askedToPause = [:]
    started = []
    waiting = WaitingOrder()
  }

  private mutating func keep(_ job: JobStatus) {
    // The time between two attempts is no pause of either.
    if live[job.number]?.attempt != job.attempt { forgetPace(of: job.number) }
    if live[job.number] == nil { keys[job.number] = BatchKey(job) }
    live[job.number] = job
    if job.state == .queued { started.remove(job.number) } else { started.insert(job.number) }
  }

  private mutating func forgetPace(of number: JobNumber) {
    estimates[number] = nil
    toldProgress[number] = nil
    steady[number] = nil
    timesLeft[number] = nil
  }

  private mutating func receiveEvent(_ job: JobStatus) {
    waiting.receive(job)
    areReasonsOld = true
    askedToPause[job.number] = nil
    if job.state == .ended {
      live[job.number] = nil
      started.remove(job.number)
      frames[job.number] = nil
      forgetPace(of: job.number)
      marked.remove(job.number)
      if confirmation?.jobs == [job.number] { confirmation = nil }
      remember(job)
    } else {
      keep(job)
      ended.removeAll { $0.number == job.number }
    }
  }

  private mutating func remember(_ job: JobStatus) {
    ended.removeAll { $0.number == job.number }
    let place = ended.firstIndex { ($0.ended ?? $0.submitted) < (job.ended ?? job.submitted) }
    ended.insert(job, at: place ?? ended.count)
    keys[job.number] = BatchKey(job)
    guard ended.count > Self.endedKept else { return }
    keys[ended.removeLast().number] = nil
  }
}
