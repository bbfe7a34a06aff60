/// The core's state of one live job.
struct Job: Sendable {
  /// The phase of the job, with the state of that phase only.
  ///
  /// `JobState` is its public form. Rare payloads are boxed to keep `Job` small, because most jobs wait in
  /// line.
  enum Phase: Sendable {
    /// In the queue; the code is the last one announced. Exits: launching, held, ended, and those of an
    /// edited job: awaiting, scheduled.
    case inLine(PendingReason.Code)
    /// Waits for a time (deferred, or a retry). Exits: inLine, ended.
    indirect case delayed(until: Instant, PendingReason)
    /// Waits for the end of the job that it replaces, or that has its identifier. Exits: awaiting, scheduled,
    /// inLine, ended.
    case after(JobNumber)
    /// Waits for other jobs to succeed, in the `PrerequisiteIndex`. Exits: scheduled, inLine, ended.
    case awaiting
    /// Waits for its time of day, in the `Agenda`. Exits: inLine, held, launching, ended.
    case scheduled
    /// Waits only for its release. Exits: inLine, ended, and those of an edited job: awaiting, scheduled.
    case held
    /// Exits: away, running, stopping, delayed or inLine (again), ended.
    case launching
    /// An engine has it, and it has not begun there. Exits: running, stopping, delayed or inLine (again),
    /// ended.
    indirect case away(PendingReason)
    /// Exits: stalled, paused, stopping, delayed or inLine (again), ended.
    case running
    /// Exits: running, paused, stopping, delayed or inLine (again), ended.
    case stalled(since: Instant)
    /// Exits: running, stalled, stopping, delayed or inLine (again), ended.
    indirect case paused(Pause)
    /// Exits: ended; delayed or inLine (again).
    indirect case stopping(Stop)
  }

  let number: JobNumber
  /// Replaced when the job is held, moved or edited, and cleared once it is gone.
  private(set) var terms: JobTerms
  /// From 1; the running attempt, or the next one.
  var attempt: Int
  /// Failed attempts so far; deferred ones do not count.
  var failures = 0
  var phase: Phase
  var lease = Lease()
  var watch: Watch
  /// The place of its group in the `Lanes`.
  var lane: Int32 = 0
  /// Awake time that earlier attempts ran.
  var spent = Interval.zero
  /// Awake time of all pauses that are over.
  var paused = Interval.zero
  /// Of this attempt; see `PastAttempts.pauseMark`.
  var pauseMark: UInt64 = 0
  /// The job that waits for the end of this one.
  var successor: JobNumber?
  /// When a probe showed that a condition of this attempt no longer holds; nil = all hold.
  var conditionLostAt: Instant?
  /// Whether `simulate` launched it, regardless of conditions.
  var ignoresConditions = false
  /// Whether its start or end was simulated, so that neither counts for its bundle.
  var isSimulated = false
  private var machineName: Boxed<String>?

  init(number: JobNumber, terms: JobTerms, attempt: Int, phase: Phase, at now: Instant) {
    self.number = number
    self.terms = terms
    self.attempt = attempt
    self.phase = phase
    self.watch = Watch(from: now, stallTimeout: terms.submission.options.stallAfter)
  }

  /// Read in place: it is large, and most readers need one of its options.
  var submission: Submission { _read { yield terms.submission } }

  var place: Place { Place(number, seat: submission.seat) }
  var row: LineRow { terms.row }

  /// Applies an edit to the submission.
  mutating func change(_ change: (inout Submission) -> Void) {
    var submission = submission
    change(&submission)
    terms = JobTerms(submission)
  }

  /// Frees all boxed state: the job has ended, and its index will be reused.
  mutating func vacate() {
    terms = .vacant
    phase = .launching
    lease = Lease()
    machine = nil
  }

  /// Whether it holds a process tree, or is about to.
  var isActive: Bool {
    switch phase {
    case .inLine, .delayed, .after, .awaiting, .scheduled, .held: false
    case .launching, .away, .running, .stalled, .paused, .stopping: true
    }
  }

  /// Whether its worker runs, or has run.
  var hasBegun: Bool {
    switch phase {
    case .inLine, .delayed, .after, .awaiting, .scheduled, .held, .launching, .away: false
    case .running, .stalled, .paused, .stopping: true
    }
  }

  /// Whether it was told to stop and its grace is over.
  var isKilled: Bool {
    if case .stopping(let stop) = phase { stop.kills > 0 } else { false }
  }

  /// Whether it was told to stop for its time limit or a timeout.
  var isExpiring: Bool {
    if case .stopping(let stop) = phase { stop.reason.code.outcome == .expired } else { false }
  }

  /// The machine of its pool that runs it, or ran the attempt before, whose files are there; nil = none yet, or
  /// it is for no pool.
  var machine: String? {
    get { machineName?.value }
    set { machineName = newValue.map { Boxed($0) } }
  }

  /// The engine that runs it, or for which it waits; nil = this machine.
  var engine: String? {
    guard let machine else { return submission.options.engine }
    return machine == MachineName.here ? nil : machine
  }

  /// Whether it stays with its machine: an attempt has begun there, and its files are there.
  var isBound = false

  /// Details of the pause; nil while the job is not paused.
  var pause: Pause? {
    if case .paused(let pause) = phase { pause } else { nil }
  }

  /// When something must be done about it without an outside event.
  var nextDue: Instant? {
    switch phase {
    case .inLine, .after, .awaiting, .scheduled, .held, .launching, .away: nil
    case .paused(let pause): pause.until
    case .delayed(let until, _): until
    case .running: earliest(lookDue, limitDue)
    case .stalled: earliest(earliest(lookDue, limitDue), earliest(releaseDue, answerDue))
    case .stopping(let stop): stop.killDue
    }
  }

  /// When to sample its page next.
  var lookDue: Instant? {
    switch phase {
    case .inLine, .delayed, .after, .awaiting, .scheduled, .held, .launching, .away, .paused,
      .stopping:
      nil
    case .running:
      watch.lookDue(
        onStall: submission.options.onStall, silentAfter: submission.options.silentAfter)
    case .stalled: watch.promptLookDue(silentAfter: submission.options.silentAfter)
    }
  }

  /// When the time of all its attempts together is up; nil once its work is done.
  var limitDue: Instant? {
    guard let limit = submission.options.limit, !watch.hasWorked else { return nil }
    return watch.startedAt + limit.less(spent)
  }

  /// Adds the time of the current attempt to that of the earlier ones.
  mutating func countTime(until now: Instant) {
    if !hasBegun { return }
    spent = spent + ((pause?.since ?? now) - watch.startedAt)
  }

  /// When an unanswered prompt is given up; nil = never.
  var answerDue: Instant? {
    guard case .stalled(let since) = phase else { return nil }
    return submission.options.answerWithin.map { since + $0 }
  }

  /// When an unanswered prompt loses its slot; set with the prompt.
  var releaseDue: Instant? { lease.hasSlot && engine == nil ? lease.slotUntil : nil }
}

/// How far a stop has got.
struct Stop: Hashable, Sendable {
  var reason: StopReason
  let decidedAt: Instant
  /// When the grace ends.
  var deadline: Instant
  /// When the tree is killed (again).
  var killDue: Instant
  var kills: UInt64 = 0

  init(reason: StopReason, deadline: Instant, decidedAt: Instant) {
    self.reason = reason
    self.decidedAt = decidedAt
    self.deadline = deadline
    self.killDue = deadline
  }

  /// After a kill: the next one follows in 5 s, then 10 s, 20 s …, never more than 60 s later.
  ///
  /// A kill is not supposed to fail. If the runner could not carry one out, the job must still end.
  mutating func countKill(at now: Instant) {
    killDue = now + min(.seconds(60), .seconds(5 << min(kills, 4)))
    kills += 1
  }
}

/// The resources that a job holds while it runs.
struct Lease: Hashable, Sendable {
  /// While it is stalled: how long an unanswered prompt keeps the slot.
  var slotUntil: Instant?
  var hasSlot = false
  /// The lane of its slot, and its share of the slots.
  var lane: Int32 = 0
  var share = SlotShare()
  private var machineName: Boxed<String>?
  /// UUIDs.
  var gpus: [String] = []
  var memoryBytes: UInt64 = 0
  var counted: [CountedNeed] = []

  /// The machine of a pool that all this is on; nil = it is for no pool.
  var machine: String? {
    get { machineName?.value }
    set { machineName = newValue.map { Boxed($0) } }
  }
}

/// The earlier of two optional instants.
func earliest(_ left: Instant?, _ right: Instant?) -> Instant? {
  guard let left else { return right }
  guard let right else { return left }
  return min(left, right)
}
