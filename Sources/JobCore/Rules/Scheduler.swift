/// The rules of `jobrun` as one value: events in, effects out, no clock, no I/O, no randomness.
///
/// Events are handled one at a time by `handle(_:at:)`. Late, duplicate and unknown events are answered or
/// ignored. The effects of one event come in this order: announcements, as they happened; replies; stop, kill,
/// sample and probe; launches.
///
/// The value is a thousand bytes with some forty references. Where a mutating function calls one that only reads,
/// the compiler copies it unless the arguments are at hand: an autoclosure (as of `??`) or an argument that is
/// read from the table costs a tenth of an event.
package struct Scheduler: Sendable {
  /// The settings of the machine's owner.
  package struct Configuration: Hashable, Sendable {
    /// Jobs that run at the same time; at least 1.
    package var slots: Int
    /// The same of groups that have another number.
    package var groups: [GroupName: Int] = [:]
    /// How long an unanswered prompt keeps its slot.
    package var promptKeepsSlot: Interval = .minutes(10)
    /// Between two probes while a queued job waits for a condition, or a running one depends on one.
    package var probeInterval: Interval = .seconds(5)
    /// The maximum age of measured facts for starting a job that waited for them; older ones are probed anew
    /// first.
    package var factsKeep: Interval = .seconds(10)
    /// Most jobs waiting at the same time.
    package var queueLimit: Int = 1_000_000
    /// Spreads out the retries of jobs that failed together; nil = each waits for its full delay.
    package var retrySeed: UInt64?
    /// A waiting job is lifted ahead of all priorities once `maximumOvertakes` jobs of higher ones were started
    /// while it was the next of its own, and this long has passed.
    ///
    /// Either alone would defeat priorities: time, where jobs take hours, and a count, where they take moments.
    package var liftAfter: Interval = .minutes(10)
    package var maximumOvertakes = 10
    /// Each bundle's budget of background starts; nil = unlimited.
    package var budget: Budget?

    package init(slots: Int) {
      self.slots = slots
    }
  }

  let configuration: Configuration
  var table = LiveJobs()
  /// Jobs in line, by lane: jobs of a group wait only for its slots.
  var lines = [WaitingLine()]
  /// Jobs that wait for a time or for another job's end; they are not in line yet.
  var delayed = OrderedNumbers()
  /// Jobs that hold a process tree, or are about to.
  var active = OrderedNumbers()
  /// Resources that hosted jobs still hold after they are reported as ended: their processes continue.
  var lingering: [JobNumber: Lease] = [:]
  /// Who holds which slots.
  var lanes: Lanes
  /// The resources of this machine.
  var ledger: ResourceLedger
  /// Other machines to which pools and hosts send jobs, by the names of their engines.
  var machines: [String: Machine] = [:]
  var deadlines = DeadlineHeap()
  /// The part of `delayed` that waits for a time of day.
  var agenda = Agenda()
  /// The last reported time of day; nil = none.
  var timeOfDay: WallTime?
  /// The used budgets of bundles; nil = not counted.
  var uses: UseRecord?
  /// Agenda entries that wait although their own time has come.
  var putOff: [JobNumber: PutOff] = [:]
  /// Jobs that wait for others to succeed.
  var prerequisites = PrerequisiteIndex()
  /// Ended jobs with dependents, which are informed at the end of the event.
  var awaitedEnds: [(JobNumber, Outcome)] = []
  /// Failed jobs whose submission ends with them at the end of the event.
  var halting: [(JobNumber, JobTerms)] = []
  /// Restored jobs that may wait for others; settled once all jobs are restored.
  var restoredWaiting: [JobNumber] = []
  /// Live jobs whose start time the runner picks, waiting and running.
  var requests = OrderedNumbers()
  /// Running jobs that are stopped when a condition no longer holds.
  var conditioned = OrderedNumbers()
  /// Paused jobs that resume as soon as they get a slot.
  var resuming = OrderedNumbers()
  /// Requested pauses of jobs that are still being launched.
  var pausesAtStart: [PauseAtStart] = []
  var outbox = Outbox()
  package internal(set) var nextNumber: JobNumber
  var isShuttingDown = false
  /// The user's settings by bundle.
  var settings: [JobIdentifier: BundleSettings] = [:]
  var pushRests = PushRests()
  /// Why power is saved; nil = it is not.
  package internal(set) var saving: String?
  /// Why deferrable work waits for others; nil = it need not.
  package internal(set) var pressure: String?
  /// The user at the machine's screen; nil = idle.
  package internal(set) var presence: String?
  /// Live jobs that wait, or have waited, for an idle machine.
  var idleSeekers = 0
  /// Whether a person has paused all starts.
  package internal(set) var isPaused = false
  /// Groups in which no job starts.
  package internal(set) var pausedGroups: Set<GroupName> = []
  /// Live jobs that take several slots, or run alone.
  var wideCount = 0
  /// For submissions that halt after several ends, the number of ends so far; by stem.
  var haltCounts: [String: Int] = [:]
  /// For submissions whose jobs start one after another, when the next may start; by stem.
  var paces: [String: Instant] = [:]
  /// Something changed that may let a job start; settled at the end of the event.
  var admissionDue = false
  /// Whether the first of a row waits for a resource that another probe may show to be free.
  var probeWanted = false
  /// When a probe was requested that has not finished yet.
  var probeAskedAt: Instant?
  var probeDue: Instant?
  /// The other machines that the first of a row waits to hear of.
  var surveysWanted: Set<String> = []
  var surveyDue: Instant?
  /// The last probe did not answer in time, so no slot is kept while waiting for it.
  var probeOverdue = false
  /// Jobs in line for which a slot is kept until the probe answers, the first in line first.
  var slotsKept: [Head] = []
  /// The reason that the slots are taken, kept while the holders are the same; a hundred thousand submissions
  /// in a row share it.
  var slotsTaken: [Int: PendingReason] = [:]
  /// The latest instant seen: the clock of the core never runs backwards.
  var latest = Instant(nanoseconds: 0)

  package init(configuration: Configuration, firstNumber: JobNumber) {
    self.configuration = configuration
    lanes = Lanes(slots: configuration.slots)
    ledger = ResourceLedger(factsKeep: configuration.factsKeep)
    lanes.setSlots(of: configuration.groups)
    uses = configuration.budget.map { UseRecord($0) }
    self.nextNumber = max(firstNumber, JobNumber(1))
  }

  /// Handles one event and returns the resulting effects.
  package mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
    var effects: [Effect] = []
    handle(event, at: now, into: &effects)
    return effects
  }

  /// Handles one event and appends the resulting effects to `effects`.
  package mutating func handle(_ event: Event, at now: Instant, into effects: inout [Effect]) {
    latest = max(latest, now)
    outbox.open(&effects)
    if event.isRestore {
      apply(event, at: latest)
    } else {
      if !restoredWaiting.isEmpty { settleRestored() }
      apply(event, at: latest)
      if !halting.isEmpty { haltOthers(at: latest) }
      if !pausesAtStart.isEmpty { pauseStarted(at: latest) }
      tellDependents(at: latest)
      settle(at: latest)
      if table.count == 0 { releaseCapacity() }
    }
    outbox.close(&effects)
  }

  /// No job is left: frees the capacity that a large number of jobs had needed.
  private mutating func releaseCapacity() {
    table.releaseCapacity()
    deadlines.releaseCapacity()
    if !haltCounts.isEmpty { haltCounts = [:] }
    if !paces.isEmpty { paces = [:] }
  }

  private mutating func apply(_ event: Event, at now: Instant) {
    switch event {
    case .submit(let tag, let submission): submit(submission, tag, at: now)
    case .batch(let tag, let batch): submit(batch, tag, at: now)
    case .cancel(let tag, let number, let isNow, let reason):
      cancel(number, tag, because: reason, isNow: isNow, at: now)
    case .cancelAll(let tag, let isNow, let some, let reason):
      cancelAll(tag, because: reason, isNow: isNow, in: some, at: now)
    case .withdraw(let tag, let number): withdraw(number, tag, at: now)
    case .answer(let tag, let number, let continues):
      answer(number, tag, continues: continues, at: now)
    case .pause(let tag, let number, let keepsSlot, let length):
      pause(number, tag, PauseTerms(keepsSlot: keepsSlot, length: length), at: now)
    case .pauseAll(let tag, let keepsSlot, let length, let some):
      pauseAll(tag, PauseTerms(keepsSlot: keepsSlot, length: length), in: some, at: now)
    case .resume(let tag, let number): resume(number, tag, at: now)
    case .resumeAll(let tag, let some): resumeAll(tag, in: some, at: now)
    case .pauseRunner(let isPaused): pauseRunner(isPaused)
    case .pauseGroup(let group, let isPaused): pauseGroup(group, isPaused)
    case .start(let tag, let number): startNow(number, tag, at: now)
    case .counted(let totals): setCounted(totals, at: now)
    case .halted(let stem, let count): haltCounts[stem] = count
    case .shutdown(let discardsQueue): shutDown(discardsQueue: discardsQueue, at: now)
    case .machine(let facts): apply(facts, at: now)
    case .surveyed(let machine, let survey): apply(survey, of: machine, at: now)
    case .started(let number, let attempt): start(number, attempt: attempt, at: now)
    case .pending(let number, let attempt, let reason):
      wait(number, attempt: attempt, elsewhere: reason)
    case .sampled(let number, let sample, let ages):
      apply(sample, of: number, ages, at: now)
    case .expected(let number, let usual): expect(usual, of: number)
    case .worked(let number, let attempt): finishWork(of: number, attempt: attempt)
    case .finished(let number, let attempt, let end):
      finish(number, attempt: attempt, end, at: now)
    case .hostLost(let number, let why): loseHost(of: number, why, at: now)
    case .deadline: meetDeadlines(at: now)
    case .timeOfDay(let time): apply(time, at: now)
    case .restore(let number, let submission, let attempt, let phase, let past):
      restore(number, submission, attempt: attempt, phase, past, at: now)
    case .redo(let tag, let number, let submission, let attempt, let isForced):
      redo(number, submission, attempt: attempt, isForced: isForced, tag, at: now)
    case .slots(let count): setSlots(count)
    case .hold(let tag, let number): hold(number, tag)
    case .release(let tag, let number): release(number, tag, at: now)
    case .move(let tag, let number, let target):
      move(number, behind: target, tag, at: now)
    case .edit(let tag, let number, let edit): self.edit(number, edit, tag, at: now)
    case .groups(let slots): setSlots(of: slots)
    case .engines(let rooms, let pools): setRooms(of: rooms, pools, at: now)
    case .settings(let settings): apply(settings)
    case .saving(let why): save(why)
    case .busy(let pressure, let presence): wait(for: pressure, presence)
    case .budget(let budget): share(by: budget, at: now)
    case .uses(let past): note(past, at: now)
    case .simulate(let tag, let number, let simulation):
      simulate(simulation, number, tag, at: now)
    }
  }
}

extension Event {
  /// Whether starts are still blocked.
  ///
  /// The holder of a slot may be restored after a job that waits for it. The next deadline lets the queue
  /// continue.
  fileprivate var isRestore: Bool {
    if case .restore = self { true } else { false }
  }
}
