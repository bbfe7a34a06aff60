package import JobCore

/// A second, tiny model of the world that the core controls: it trusts nothing and records every impossible
/// effect.
package struct World {
  package enum Stage: Hashable {
    case inLine, aside
    case active(stopping: Bool)
    case ended
  }

  package struct Member {
    package var stage: Stage
    package var submission: Submission
    package var demand: Requirements { submission.options.requirements }
    package var attempt = 0
    package var gpus: [String] = []
    /// Smaller positions go first within a priority.
    package var position = 0.0
    /// Since when a prompt is open.
    package var promptSince: Instant?
    /// An unanswered prompt may have cost it its slot, or it was launched without one.
    package var mayLackSlot = false
    /// Its time of day has come; setting the clock back does not undo that.
    package var hasComeDue = false
    /// Live jobs that must succeed before it starts.
    package var awaited: Set<JobNumber> = []
    /// One of its prerequisites has ended otherwise.
    package var mayBeRefused = false
    /// It waited when an earlier runner left it.
    package var wasWaiting = false
    /// It runs because its launch was simulated.
    package var isLaunchedEarly = false
    /// When probes first showed that its condition is lost.
    package var conditionLostAt: Instant?
    /// It was launched, and its worker has not begun.
    package var isLaunching = false
    /// Its attempt was reported as started.
    package var hasBegun = false
    /// The shown pause, and whether it waits for a slot to resume.
    package var pause: Pause?
    /// As it was commanded: whether its processes are stopped.
    package var isFrozen = false
    /// When its attempt began, and the length of its pauses; nil if an earlier runner started it.
    package var startedAt: Instant?
    package var pausedFor = Interval.zero
    /// It has ended, and its process still holds its resources.
    package var lingers = false
    /// Its process must not be killed.
    package var isHosted: Bool { submission.isHosted }
    /// The machine of its pool that was chosen for it, and the one on which it has begun.
    package var machine: String?
    package var home: String?
    /// The engine that runs it, or for which it waits; nil = this machine.
    package var engine: String? {
      guard let machine else { return submission.options.engine }
      return machine == MachineName.here ? nil : machine
    }
    /// Slots that it took.
    package var share = 1
    /// The resources that it needs on this machine.
    var demandHere: Requirements { submission.options.demandHere }
    /// The same of the machine where it runs.
    var demandThere: Requirements { machine == nil ? demandHere : demand }

    package init(stage: Stage, submission: Submission, attempt: Int = 0) {
      self.stage = stage
      self.submission = submission
      hasComeDue = submission.notBefore == nil
      self.attempt = attempt
    }
  }

  package let configuration: Scheduler.Configuration
  package var members: [JobNumber: Member] = [:]
  /// The outcomes of ended jobs.
  package var outcomes: [JobNumber: Outcome] = [:]
  package var facts: MachineFacts?
  /// Slots of groups that have another number than the others.
  package var groupSlots: [GroupName: Int] = [:]
  /// The core's last time of day.
  package var timeOfDay: WallTime?
  package var impossible: [String] = []
  /// The bundles' settings.
  var settings: [JobIdentifier: BundleSettings] = [:]
  /// Most attempts that each engine may have.
  var engines: [String: Int] = [:]
  /// What other machines have told, and which of them cannot be reached.
  var factsElsewhere: [String: MachineFacts] = [:]
  var silent: Set<String> = []
  /// The machines that were chosen in this event.
  var chosen: [JobNumber: String] = [:]
  /// Reports of engines on jobs that they do not have.
  var lies: Set<Event> = []
  /// Power is short.
  var isSaving = false
  /// Whether the machine lacks another resource, or is in use.
  var isPressed = false
  var isAttended = false
  /// Whether some were ever barred: then the order of lifted jobs is not checked.
  var hasBars = false
  /// Whether all starts are paused.
  package var isRunnerPaused = false
  /// Groups whose starts are paused.
  var pausedGroups: Set<GroupName> = []
  /// Requests to pause a job that is being launched: they are answered when it has started.
  var owed: [RequestTag: JobNumber] = [:]
  /// Jobs whose last pause was without their slot.
  var gaveSlotAway: Set<JobNumber> = []
  /// The last background launches of tasks, by name.
  var startedAt: [JobIdentifier: [WallTime]] = [:]
  /// When a push was launched last of each name.
  var wokenAt: [JobIdentifier: Instant] = [:]
  /// The first of the jobs that this event accepts.
  private var firstAccepted: JobNumber?
  /// The number of decisive ends in submissions that halt after several.
  var haltCounts: [String: Int] = [:]
  /// When the last job started, of submissions whose jobs start one after another; by stem.
  var lastStarts: [String: Instant] = [:]
  /// Submissions that an earlier runner had, which may have started one of their jobs.
  var restoredStems: Set<String> = []
  /// The lines by kind, and when the first of each became that.
  var lines: [Kind: [JobNumber]] = [:]
  var turns: [Kind: Turn] = [:]
  /// Jobs that were lifted before this event, and have not started.
  var liftedBefore: Set<JobNumber> = []
  /// The process that this event ended held resources; the core must report their release.
  var released: JobNumber?

  package init(configuration: Scheduler.Configuration) {
    self.configuration = configuration
  }

  /// Checks the core's effects of `event`.
  ///
  /// `chosen`: the machines of pools on which jobs are launched.
  package mutating func take(
    _ effects: [Effect], of event: Event, at now: Instant, chosen: [JobNumber: String]
  ) {
    self.chosen = chosen
    if case .surveyed(let machine, let survey) = event { take(survey, of: machine) }
    if case .machine(let facts) = event { self.facts = facts }
    if case .timeOfDay(let time) = event { tell(time) }
    if case .pauseRunner(let isPaused) = event { isRunnerPaused = isPaused }
    if case .pauseGroup(let group, let isPaused) = event {
      if isPaused { pausedGroups.insert(group) } else { pausedGroups.remove(group) }
    }
    if case .settings(let settings) = event { take(settings) }
    if case .engines(let engines, _) = event { self.engines = engines }
    if case .saving(let why) = event { take(saving: why) }
    if !effects.isEmpty, lies.contains(event) {
      deny("what an engine said of a job that it was not given has changed something")
    }
    if case .busy(let pressure, let presence) = event {
      take(pressure: pressure, presence: presence)
    }
    liftedBefore = lifted(at: now)
    if live.isEmpty { (lastStarts, restoredStems) = ([:], []) }
    if case .groups(let slots) = event { groupSlots = slots }
    checkOrder(effects)
    checkReplies(effects, to: event)
    letGo(by: event)
    firstAccepted = nil
    for number in members.keys { notePrompt(of: number, at: now) }
    for effect in effects {
      switch effect {
      case .announce(let number, let announcement):
        if announcement.state == .launching, let machine = chosen[number] {
          members[number]?.machine = machine
        }
        notePause(number, announcement, at: now)
        announce(number, announcement, of: event, at: now)
        noteLine(at: now)
      case .launch(let number, let attempt, let gpus):
        launch(number, attempt: attempt, gpus: gpus)
      case .sample(let number):
        if !isActive(number) { deny("a look at job \(number), which does not run") }
        if members[number]?.pause != nil { deny("a look at job \(number), which is paused") }
      case .stop(let number, let reason, _):
        if !isActive(number) { deny("a stop of job \(number), which does not run") }
        checkLimit(of: number, reason, by: event, at: now)
      case .pause(let number, _, _): freeze(number, true)
      case .resume(let number, _): freeze(number, false)
      case .kill(let number):
        if members[number]?.stage != .active(stopping: true) {
          deny("a kill of job \(number), which was not told to stop")
        }
      case .released(let number):
        if members[number]?.lingers != false || released != number {
          deny("what job \(number) holds is free after \(event.text)")
        }
        released = nil
      case .probe, .survey, .reply: break
      }
    }
    checkPrerequisites(effects)
    checkPauses()
    checkHalts(effects)
    if let released { deny("what job \(released) held is not free after \(event.text)") }
    if case .machine(let facts) = event { checkConditions(facts, at: now) }
  }

  /// Jobs that were accepted and have not ended.
  package var live: [JobNumber] { members.filter { $0.value.stage != .ended }.keys.sorted() }

  package func isActive(_ number: JobNumber) -> Bool {
    if case .active = members[number]?.stage { true } else { false }
  }

  mutating func deny(_ what: String) { impossible.append(what) }

  private mutating func announce(
    _ number: JobNumber, _ announcement: Announcement, of event: Event, at now: Instant
  ) {
    if announcement.kind == .submitted {
      guard members[number] == nil, let submission = submission(of: number, in: event) else {
        return deny("job \(number) is submitted twice, or by nobody")
      }
      checkPending(submission)
      checkAlone(submission)
      members[number] = Member(stage: .aside, submission: submission)
      members[number]?.position = Double(number.value)
      noteTime(of: number)
      notePrerequisites(of: number)
    }
    if case .redo(_, number, let submission, let attempt, let isForced) = event,
      !live.contains(number)
    {
      members[number] = Member(stage: .aside, submission: submission, attempt: attempt - 1)
      members[number]?.position = Double(number.value)
      noteTime(of: number)
      if !isForced { notePrerequisites(of: number) }
    }
    noteSteering(announcement, of: number, by: event, at: now)
    guard let stage = members[number]?.stage, stage != .ended else {
      return deny("job \(number) is \(announcement.text), and has ended or never was")
    }
    if !World.follows(announcement.state, on: stage), !isTriedAgain(event, announcement, number),
      !isEarly(event, announcement, number)
    {
      deny("job \(number) is \(announcement.text) while \(stage)")
    }
    if case .simulate(_, number, .launch) = event { members[number]?.isLaunchedEarly = true }
    if case .start(_, number) = event {
      members[number]?.isLaunchedEarly = true
      members[number]?.submission.isHeld = false
    }
    checkBegunOnce(number, announcement, by: event)
    if case .ended = announcement.state {
      let lingers = lingers(number, by: event)
      members[number]?.lingers = lingers
    }
    enter(number, announcement.state, at: now)
    members[number]?.promptSince =
      if case .stalled(let since) = announcement.state { since } else { nil }
  }

  /// The submission of an accepted job; nil without one.
  private mutating func submission(of number: JobNumber, in event: Event) -> Submission? {
    switch event {
    case .submit(_, let submission): return submission
    case .batch(_, let batch):
      let first = firstAccepted ?? number
      firstAccepted = first
      guard number >= first, number.value - first.value < batch.count else { return nil }
      return batch.submission(at: Int(number.value - first.value))
    default: return nil
    }
  }

  /// A job that was stopped for its expiry may be retried once its end was confirmed.
  private func isTriedAgain(
    _ event: Event, _ announcement: Announcement, _ number: JobNumber
  ) -> Bool {
    guard case .finished(number, _, let end) = event, case .queued = announcement.state,
      let options = members[number]?.submission.options, options.retriesExpired, options.retries > 0
    else { return false }
    switch end.status {
    case .exited, .signalled: return true
    default: return false
    }
  }

  /// A simulated launch takes a job from any wait, and a restored one with succeeded prerequisites waits for
  /// its turn without an announcement.
  private func isEarly(
    _ event: Event, _ announcement: Announcement, _ number: JobNumber
  ) -> Bool {
    guard announcement.state == .launching, !isActive(number) else { return false }
    if case .simulate(_, number, .launch) = event { return true }
    if case .start(_, number) = event { return true }
    return isReleasedSilently(number)
  }

  private static func follows(_ state: JobState, on stage: Stage) -> Bool {
    switch (stage, state) {
    case (_, .queued): stage != .active(stopping: true)
    case (.inLine, .launching), (.inLine, .ended), (.aside, .ended): true
    case (.active, .stopping), (.active, .ended), (.active(stopping: false), .paused): true
    case (.active(stopping: false), .away), (.active(stopping: false), .running),
      (.active(stopping: false), .stalled):
      true
    default: false
    }
  }

  private mutating func enter(_ number: JobNumber, _ state: JobState, at now: Instant) {
    switch state {
    case .queued(let reason):
      let isAside = [.notBefore, .retry, .after, .held, .budget].contains(reason.code)
      members[number]?.stage = isAside ? .aside : .inLine
      // As where settings bar some: whose turn it is has another answer.
      if [.budget, .resource, .pace].contains(reason.code) { hasBars = true }
      members[number]?.gpus = []
      members[number]?.isFrozen = false
      members[number]?.mayLackSlot = false
      members[number]?.isLaunchedEarly = false
      members[number]?.conditionLostAt = nil
      if members[number]?.home == nil { members[number]?.machine = nil }
    case .away:
      if members[number]?.engine == nil { deny("job \(number) is away, and runs here") }
    case .launching: checkTurn(of: number, at: now)
    case .running, .stalled, .paused:
      members[number]?.stage = .active(stopping: false)
      let machine = members[number]?.machine
      members[number]?.home = machine
    case .stopping: members[number]?.stage = .active(stopping: true)
    case .ended(let outcome, _):
      outcomes[number] = outcome
      members[number]?.stage = .ended
      if members[number]?.lingers != true { members[number]?.gpus = [] }
    }
  }

  private mutating func notePrompt(of number: JobNumber, at now: Instant) {
    guard let since = members[number]?.promptSince else { return }
    if now >= since + configuration.promptKeepsSlot { members[number]?.mayLackSlot = true }
  }
}
