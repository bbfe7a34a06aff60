import JobCore
import JobStore
import JobWire

/// What the runner knows of one live job beside what the core decides: the words that are shown,
/// the wall times, and how its attempts went.
struct JobCard {
  let number: JobNumber
  let submission: Submission
  /// The definition's short name; nil for a plain command.
  let definition: String?
  /// Run with `sh -c` once it has ended.
  var onEnd: String?
  var details = JobDetails()
  /// As submitted; the worker's page may show newer ones while it runs.
  var title: String
  var subtitle: String
  var state: JobState = .queued(PendingReason(.slots, "was just submitted"))
  var attempt = 0
  /// Leased GPUs, by UUID.
  var gpus: [String] = []
  /// The newest look at the page; kept when the attempt has ended.
  var sample = PageSample()
  /// Where the progress in `sample` was seen.
  var origin = ProgressOrigin()
  var estimator = ProgressEstimator()
  /// How long earlier runs of its definition took; nil before anybody wants to know.
  var earlier: EarlierRuns?
  /// The time left as it was told last.
  var told: Countdown?
  /// The look (`Runner.lastLook`) that showed the newest change of the page.
  var movedAt: UInt64 = 0
  /// What the worker said last about itself, or why it could not be started.
  var message: String?
  var warning: String?
  var submittedAt: WallTime
  var startedAt: WallTime?
  var endedAt: WallTime?
  /// When the last attempt ended, as its supervisor recorded it.
  var attemptEndedAt: WallTime?
  var workerPID: Int32?
  var exitCode: Int32?
  var signal: Int32?
  var cpuMicroseconds: UInt64?
  var maxResidentBytes: UInt64?
  /// As the core told it last.
  var past = PastAttempts()
  /// Until when it waits for a time; nil when it does not.
  var delayedUntil: Instant?
  var delayedUntilWall: WallTime?
  /// The process that runs it; nil = the runner launches it.
  var host: JobRow.Host?
  /// It has ended, and its host still has what it held.
  var lingers = false
  /// Launches in a row whose supervisor was killed before the worker began.
  var vainLaunches = 0
  /// Terminals and programs that watch it in the foreground.
  var attachedCount = 0

  init(
    number: JobNumber, submission: Submission, definition: String?, title: String,
    subtitle: String, submittedAt: WallTime
  ) {
    self.number = number
    self.submission = submission
    self.definition = definition
    self.title = title
    self.subtitle = subtitle
    self.submittedAt = submittedAt
  }

  /// Whether it waits for its turn or its moment.
  var waits: Bool {
    if case .queued = state { true } else { false }
  }

  /// Whether it was told to stop.
  var isStopping: Bool {
    if case .stopping = state { true } else { false }
  }

  /// The mark in the environment of every process of this attempt, by which strays are found.
  func token(attempt: Int) -> String { "\(submission.key).\(attempt)" }

  /// Forgets what belongs to the attempt before.
  mutating func beginAttempt(_ attempt: Int, gpus: [String]) {
    self.attempt = attempt
    self.gpus = gpus
    sample = PageSample()
    origin = ProgressOrigin()
    estimator = ProgressEstimator()
    told = nil
    message = nil
    exitCode = nil
    signal = nil
    workerPID = nil
    attemptEndedAt = nil
  }

  /// Takes over when the attempt began and ended: a runner that was away, or adopted the job, hears
  /// late of both.
  mutating func record(from started: WallTime, to ended: WallTime) {
    // An earlier attempt began before this one.
    startedAt = min(startedAt ?? started, started)
    attemptEndedAt = ended
  }

  /// Takes over how the attempt ended.
  mutating func record(_ end: RunEnd) {
    sample = end.sample
    workerPID = nil
    switch end.status {
    case .exited(let code): exitCode = code
    case .signalled(let number): signal = number
    case .cannotStart(let why): message = why
    case .supervisorLost, .rebooted, .revoked, .completed, .hostEnded, .outlives: break
    }
  }

  /// Keeps what a later runner must know; a job that has ended has nothing to remember.
  mutating func remember(
    _ past: PastAttempts?, delay: Instant?, at now: Instant, _ wallNow: WallTime
  ) {
    self.past = past ?? self.past
    guard delay != delayedUntil else { return }
    delayedUntil = delay
    delayedUntilWall = delay.map { wallNow + ($0 - now) }
  }
}
