package import JobCore
import JobRuntime

/// One life of a runner in virtual time: stimuli arrive, messages are late, duplicated, swapped or lost, the
/// disk is full, and the runner dies between any two of its steps and continues from its store.
///
/// It drives the shipped runtime. Two models check it: the scheduler's own invariants and `World` after each
/// event, and here the truth about processes, run records and promises to clients.
package struct Life {
  package let seed: UInt64
  let stimuli: [Stimulus]
  let configuration: Scheduler.Configuration
  var dice: Dice

  /// Virtual time since the beginning; the awake clock begins anew with each boot.
  package var time = Interval.zero
  var bootedAt = Interval.zero
  /// Descending, so that the next is last.
  var agenda: [Happening] = []
  var ordered = 0

  // The runner; nil while it is dead.
  var runtime: JobRuntime?
  var generation = 0
  /// Outlives each runner, as the models do.
  let witness: Witness
  var crashDue: CrashPoint?
  var crashOutage = Interval.zero
  /// Whether the stored state belongs to an earlier boot.
  var rebooted: Bool { journal.storedBoot != journal.boot }
  var isStopping = false
  /// Whether a runner was told to stop.
  var wasStopped = false
  var lastTag: UInt64 = 0
  /// By how much the civil clock was set.
  var clockShift: Int64 = 0
  var clockWasSet = false
  /// Whether a requested probe is under way.
  var isProbing = false

  // The durable state.
  var journal = SimulatedJournal()

  // The truth.
  var attempts: [Attempt] = []
  /// Live supervisors, by their place in `attempts`.
  var living: Set<Int> = []
  var facts = MachineFacts.generous
  /// The bundles' settings.
  var settings: [JobIdentifier: BundleSettings] = [:]
  /// Why power is saved.
  var saving: String?
  var busy: (pressure: String?, presence: String?)
  /// The groups' slots in the settings.
  var groupSlots: [GroupName: Int] = [:]
  var submissions: [String: (Submission, WorkPlan)] = [:]
  /// Many in one, by the key that they share.
  var batches: [String: Batch] = [:]
  /// Submissions with a decisive end, whose other jobs end with it.
  var failedStems: Set<String> = []
  /// Keys of requests under way, by their tags.
  var asked: [RequestTag: String] = [:]
  /// The hosting processes of submissions, by key.
  var submitters: [String: String] = [:]
  /// Submissions whose process is gone: their answers are not awaited.
  var abandoned: Set<String> = []
  /// The live processes that host tasks, and the number of all so far.
  var aliveHosts: [Int] = []
  var hosts = 0
  /// The jobs' outcomes; a redone job has none until it ends again.
  var outcomes: [JobNumber: Outcome] = [:]
  /// From which attempt on a job that was redone is a new one.
  var redoneFrom: [JobNumber: Int] = [:]
  /// Redo requests under way, and the jobs whose redo was confirmed.
  var askedToRedo: [RequestTag: JobNumber] = [:]
  var promisedToRedo: Set<JobNumber> = []
  /// The answers that clients received.
  var told: [String: Reply] = [:]
  /// The last event of the feed.
  var lastFed: UInt64 = 0
  /// Why a job may have been cancelled or interrupted.
  var blamed: [JobNumber: Set<StopReason.Code>] = [:]

  package var events: Int { witness.events }
  /// Commits that the journal refused, and changes that a power cut took.
  package var refusals: Int { journal.refusals }
  package var losses: Int { journal.losses }
  package var crashes = 0
  package var jobs: Int { outcomes.count }
  /// The first error, which ends a life.
  package var problem: String? { witness.problem }
  /// Whether `trace` is written.
  let isTraced: Bool
  package var trace: [String] = []
  /// Deadlines in a row without any progress of time.
  var spins = 0

  package init(seed: UInt64, stimuli: [Stimulus], isTraced: Bool = false) {
    self.seed = seed
    self.stimuli = stimuli
    self.isTraced = isTraced
    dice = Dice(seed: seed ^ 0x5EED)
    var configuration = Scheduler.Configuration(slots: Int(dice.number(in: 1...4)))
    configuration.promptKeepsSlot = .seconds(20)
    (configuration.liftAfter, configuration.maximumOvertakes) = (.seconds(20), 2)
    if dice.chance(2) { configuration.budget = Life.budget }
    self.configuration = configuration
    witness = Witness(configuration, isTraced: isTraced)
    hosts = Life.hostCount
    aliveHosts = Array(1...hosts)
    begin()
  }

  /// The stimuli of a seed.
  package static func stimuli(seed: UInt64, count: Int) -> [Stimulus] {
    var dice = Dice(seed: seed)
    return dice.stimuli(count: count)
  }

  /// Far more than any life needs.
  private static let eventLimit = 1_000_000

  /// The awake clock when the first runner starts after a boot.
  static let clockStart = Instant(nanoseconds: 1_000_000_000)

  /// The civil clock: it runs through reboots, and people set it.
  var timeOfDay: WallTime {
    WallTime(milliseconds: Int64(time.milliseconds) + clockShift)
  }

  /// When the runner's civil timer is due, if it has one.
  var timerDue: Interval? {
    guard let wanted = runtime?.scheduler.nextTimeOfDay else { return nil }
    let milliseconds = max(0, wanted.milliseconds - clockShift)
    return max(time, .milliseconds(UInt64(milliseconds)))
  }

  /// The awake clock.
  var now: Instant {
    Life.clockStart + Interval(nanoseconds: time.nanoseconds - bootedAt.nanoseconds)
  }

  /// Runs all stimuli, lets all jobs end, and returns the error.
  package mutating func live() -> String? {
    for index in stimuli.indices { plan(.stimulus(index), at: stimuli[index].at) }
    plan(.calm, at: (stimuli.last?.at ?? .zero) + .minutes(1))
    while problem == nil, step() {
      if events > Life.eventLimit { deny("it goes on and on") }
    }
    if problem == nil { checkEnd() }
    return problem
  }

  /// Handles one event: the next of the agenda, or the core's deadline; false when none is left.
  private mutating func step() -> Bool {
    let next = agenda.last?.at
    if let dueAt = timerDue, next.map({ dueAt <= $0 }) ?? true,
      dueAt <= deadline.map({ $0 - Life.clockStart + bootedAt }) ?? dueAt
    {
      spins = dueAt == time ? spins + 1 : 0
      if spins > 1_000 { deny("the runner spins: the time of day does not pass") }
      time = dueAt
      post(.timeOfDay(timeOfDay))
      turn()
      return true
    }
    if let due = deadline {
      let dueAt = max(time, due - Life.clockStart + bootedAt)
      if next.map({ dueAt <= $0 }) ?? true {
        spins = dueAt == time ? spins + 1 : 0
        if spins > 1_000 { deny("the runner spins: its deadline does not pass") }
        time = dueAt + (dice.chance(10) ? dice.milliseconds(2_000) : .milliseconds(1))
        if let core = runtime?.scheduler, core.nextDeadline.map({ $0 <= now }) ?? false {
          post(.deadline)
        }
        turn()
        return true
      }
    }
    guard let happening = agenda.popLast() else { return false }
    time = max(time, happening.at)
    happen(happening.kind)
    // Several descriptors are often ready at once; then they make one turn.
    if let follower = agenda.last?.at, follower <= time + .milliseconds(1) { return true }
    turn()
    return true
  }

  mutating func plan(_ kind: Happening.Kind, at due: Interval) {
    ordered += 1
    let happening = Happening(at: max(due, time), order: ordered, kind: kind)
    var place = agenda.count
    while place > 0, agenda[place - 1].at <= happening.at { place -= 1 }
    agenda.insert(happening, at: place)
  }

  mutating func plan(_ kind: Happening.Kind, after delay: Interval) { plan(kind, at: time + delay) }

  mutating func note(_ line: @autoclosure () -> String) {
    if isTraced { trace.append("\(time.text): \(line())") }
  }

  func deny(_ what: String) { witness.deny(what) }

  /// Posts an event for the runner's next turn, if it lives.
  func post(_ event: Event) { runtime?.inbox.append(event) }

  /// Starts a runner, with the stored state.
  mutating func begin() {
    var configuration = configuration
    configuration.groups = groupSlots
    let runtime = JobRuntime(
      configuration, firstNumber: journal.nextNumber, sequence: journal.sequence)
    witness.watch(runtime, groupSlots)
    runtime.inbox.append(.engines(Dice.engines, pools: Dice.pools))
    lastFed = journal.sequence
    self.runtime = runtime
  }

  /// When the runner looks again by itself.
  private var deadline: Instant? {
    [runtime?.scheduler.nextDeadline, runtime?.retryAt].compactMap(\.self).min()
  }

  /// When there are no more events, all accepted jobs must have ended, and all clients must have their answers.
  private mutating func checkEnd() {
    if !journal.rows.isEmpty { deny("jobs \(journal.rows.keys.sorted()) never end") }
    if !journal.lingering.isEmpty { deny("\(journal.lingering.keys.sorted()) linger for ever") }
    if runtime?.isHoldingBack ?? false { deny("something is never stored") }
    for (key, reply) in told.sorted(by: { $0.key < $1.key }) {
      if case .accepted(let number) = reply, outcomes[number] == nil {
        deny("job \(number) was accepted and is lost (\(key))")
      }
    }
    for key in submissions.keys.sorted() where told[key] == nil && !abandoned.contains(key) {
      deny("the submitter of \(key) was never answered")
    }
    if attempts.contains(where: \.isRunning) { deny("a worker is left") }
    if runtime?.scheduler.nextDeadline != nil || runtime?.scheduler.nextTimeOfDay != nil {
      deny("an idle core has a deadline")
    }
  }
}
