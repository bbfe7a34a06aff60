package import JobCore
package import JobWire

/// The runner's data of one live job beside the core's: texts, wall times, and results of its attempts.
package struct LiveJob {
  /// Given when it is accepted.
  package internal(set) var number: JobNumber
  /// The current submission: a waiting job may be held, moved and edited.
  package internal(set) var submission: Submission
  /// The definition's short name; nil for a plain command.
  package let definition: String?
  package var details = JobDetails()
  /// As submitted; the worker's page may show newer ones while it runs.
  package var title: String
  package var subtitle: String
  package var state: JobState = .accepted
  package var attempt = 0
  /// Leased GPUs, by UUID.
  package var gpus: [String] = []
  /// The newest sample of the page; kept after the attempt's end.
  package var sample = PageSample()
  /// At most one, boxed: a waiting job has no progress.
  private var origins: [ProgressOrigin] = []
  /// At most one, on the heap: it is a fifth of a live job, and most jobs wait and have none.
  private var paces: [Pace] = []
  /// How long earlier runs of its definition took; nil until it is needed.
  package var earlier: EarlierRuns?
  package var look = ChangeMarker()
  /// The last message of the worker, or why it could not be started.
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
  /// It has ended, but its host still holds its resources.
  package var lingers = false
  /// Its processes have their own control group.
  package var isGrouped = false
  /// Its processes have low priority, because no client watches it.
  package var givesWay = false
  /// Consecutive launches whose supervisor was killed before the worker began.
  package var failedStarts: UInt8 = 0
  /// At most one, boxed: a waiting job has no resource usage.
  private var uses: [ResourceUse] = []
  /// As last reported by the core.
  package var past = PastAttempts()
  /// The end of its timed wait; nil without one.
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

  /// A submitted job; its number and time are set at its acceptance.
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

  /// The engine's name for the attempt.
  package var engineJob: String? {
    get { rarities.first?.engineJob }
    set { rarity.engineJob = newValue }
  }

  /// The machine on which its engine runs it.
  package var node: String? {
    get { rarities.first?.node }
    set { rarity.node = newValue }
  }

  /// The machine of its pool that runs it, or ran its last attempt; nil = none was chosen.
  package var machine: String? { past.machine }

  /// The engine that runs it, or for which it waits; nil = this machine.
  package var engine: String? {
    guard let machine else { return submission.options.engine }
    return machine == MachineName.here ? nil : machine
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

  /// The remaining time as last shown.
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

  /// Discards the pace, which belongs to other work.
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

  /// Resets the state of the attempt before.
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

  /// The resource usage of its ended attempts.
  package var use: ResourceUse {
    get { uses.first ?? ResourceUse() }
    set { uses = newValue == ResourceUse() ? [] : [newValue] }
  }

  /// Records when the attempt began and ended: a runner that was away, or adopted the job, receives both late.
  package mutating func record(from started: WallTime, to ended: WallTime) {
    // An earlier attempt began before this one.
    startedAt = min(startedAt ?? started, started)
    attemptEndedAt = ended
  }

  /// Records the end of the attempt.
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

  /// Keeps the state that a later runner must restore; an ended job has none.
  package mutating func remember(
    _ past: PastAttempts?, delay: Instant?, at now: Instant, _ wallNow: WallTime
  ) {
    self.past = past ?? self.past
    guard delay != delayedUntil else { return }
    delayedUntil = delay
    delayedUntilWall = delay.map { wallNow + ($0 - now) }
  }
}
