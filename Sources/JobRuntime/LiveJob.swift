package import JobCore
package import JobWire

/// What the runner knows of one live job beside what the core decides: the words that are shown,
/// the wall times, and how its attempts went.
package struct LiveJob {
  /// Given when it is accepted.
  package internal(set) var number: JobNumber
  /// As it is asked for now: who waits may be held, moved and edited.
  package internal(set) var submission: Submission
  /// The definition's short name; nil for a plain command.
  package let definition: String?
  package var details = JobDetails()
  /// As submitted; the worker's page may show newer ones while it runs.
  package var title: String
  package var subtitle: String
  package var state: JobState = .queued(PendingReason(.slots, "was just submitted"))
  package var attempt = 0
  /// Leased GPUs, by UUID.
  package var gpus: [String] = []
  /// The newest look at the page; kept when the attempt has ended.
  package var sample = PageSample()
  /// At most one, on the heap: a job that waits has shown no progress.
  private var origins: [ProgressOrigin] = []
  /// At most one, on the heap: it is a fifth of a live job, and most jobs wait and have none.
  private var paces: [Pace] = []
  /// How long earlier runs of its definition took; nil before anybody wants to know.
  package var earlier: EarlierRuns?
  package var look = ChangeMarker()
  /// What the worker said last about itself, or why it could not be started.
  package var message: String?
  package var warning: String?
  package var submittedAt: WallTime
  package var startedAt: WallTime?
  package var endedAt: WallTime?
  /// When the last attempt ended, as its supervisor recorded it.
  package var attemptEndedAt: WallTime?
  /// At most one, on the heap: most jobs are never paused, and run here.
  private var rarities: [RareFields] = []
  package var workerPID: Int32?
  package var exitCode: Int32?
  package var signal: Int32?
  /// It has ended, and its host still has what it held.
  package var lingers = false
  /// Its processes are in a control group of their own.
  package var isGrouped = false
  /// Its processes go after others, as nobody watches it.
  package var givesWay = false
  /// Launches in a row whose supervisor was killed before the worker began.
  package var failedStarts: UInt8 = 0
  /// At most one, on the heap: a job that waits has used nothing.
  private var uses: [ResourceUse] = []
  /// As the core told it last.
  package var past = PastAttempts()
  /// Until when it waits for a time; nil when it does not.
  package var delayedUntil: Instant?
  package var delayedUntilWall: WallTime?
  /// The process that runs it; nil = the runner launches it.
  package var host: JobHost?
  /// Terminals and programs that watch it in the foreground.
  package var attachedCount = 0

  package init(
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

  /// A job as it is submitted; its number and the time come with its acceptance.
  package init(_ request: SubmitRequest, _ submission: Submission) {
    self.init(
      number: JobNumber(0), submission: submission, definition: request.definition,
      title: request.title, subtitle: request.subtitle, submittedAt: WallTime(milliseconds: 0))
    details = request.details
  }

  private struct RareFields: Hashable {
    var pauses = PauseTimes()
    var engineJob: String?
    var node: String?
  }

  private var rarity: RareFields {
    get { rarities.first ?? RareFields() }
    set { rarities = newValue == RareFields() ? [] : [newValue] }
  }

  /// What its engine calls the attempt.
  package var engineJob: String? {
    get { rarities.first?.engineJob }
    set { rarity.engineJob = newValue }
  }

  /// The machine on which its engine runs it.
  package var node: String? {
    get { rarities.first?.node }
    set { rarity.node = newValue }
  }

  /// Where the progress in `sample` was seen.
  package var origin: ProgressOrigin {
    get { origins.first ?? ProgressOrigin() }
    set { origins = newValue == ProgressOrigin() ? [] : [newValue] }
  }

  private struct Pace {
    var estimator = ProgressEstimator()
    var told: Countdown?
  }

  package var estimator: ProgressEstimator {
    get { paces.first?.estimator ?? ProgressEstimator() }
    _modify {
      if paces.isEmpty { paces.append(Pace()) }
      yield &paces[0].estimator
    }
  }

  /// The time left as it was told last.
  package var told: Countdown? {
    get { paces.first?.told }
    set {
      if paces.isEmpty { paces.append(Pace()) }
      paces[0].told = newValue
    }
  }

  /// Its pauses as people saw them: `past.paused` counts no sleep of the machine.
  package var pauseTimes: PauseTimes {
    get { rarity.pauses }
    set { rarity.pauses = newValue }
  }

  /// What is known of its pace is of something else.
  package mutating func forgetPace() { paces = [] }

  /// Whether it waits for its turn or its moment.
  package var waits: Bool {
    if case .queued = state { true } else { false }
  }

  /// Whether it was told to stop.
  package var isStopping: Bool {
    if case .stopping = state { true } else { false }
  }

  /// The mark in the environment of every process of this attempt, by which strays are found.
  package func token(attempt: Int) -> String { "\(submission.key).\(attempt)" }

  /// Forgets what belongs to the attempt before.
  package mutating func beginAttempt(_ attempt: Int, gpus: [String]) {
    self.attempt = attempt
    self.gpus = gpus
    sample = PageSample()
    origin = ProgressOrigin()
    forgetPace()
    message = nil
    exitCode = nil
    signal = nil
    workerPID = nil
    (engineJob, node) = (nil, nil)
    givesWay = false
    attemptEndedAt = nil
  }

  /// What its attempts that have ended have used.
  package var use: ResourceUse {
    get { uses.first ?? ResourceUse() }
    set { uses = newValue == ResourceUse() ? [] : [newValue] }
  }

  /// Takes over when the attempt began and ended: a runner that was away, or adopted the job, hears
  /// late of both.
  package mutating func record(from started: WallTime, to ended: WallTime) {
    // An earlier attempt began before this one.
    startedAt = min(startedAt ?? started, started)
    attemptEndedAt = ended
  }

  /// Takes over how the attempt ended.
  package mutating func record(_ end: RunEnd) {
    sample = end.sample
    workerPID = nil
    switch end.status {
    case .exited(let code): exitCode = code
    case .signalled(let number): signal = number
    case .cannotStart(let why): message = why
    case .engine(.outOfMemory(let why)): message = why
    case .supervisorLost, .rebooted, .revoked, .engine, .completed, .hostEnded, .outlives: break
    }
  }

  /// Keeps what a later runner must know; a job that has ended has nothing to remember.
  package mutating func remember(
    _ past: PastAttempts?, delay: Instant?, at now: Instant, _ wallNow: WallTime
  ) {
    self.past = past ?? self.past
    guard delay != delayedUntil else { return }
    delayedUntil = delay
    delayedUntilWall = delay.map { wallNow + ($0 - now) }
  }
}
