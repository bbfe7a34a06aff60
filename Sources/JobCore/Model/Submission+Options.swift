extension Submission {
  /// The options of a job, with their defaults; name and start time are elsewhere.
  ///
  /// One value in definition, request, store, recovery record and scheduler, so that a new option only has to
  /// be added here.
  package struct Options: Hashable, Sendable {
    // The order leaves few gaps: a hundred thousand of these may wait.

    package var requirements = Requirements()
    package var strategy: Strategy = .queue
    package var ifExists: IfExists = .refuse
    package var priority = Priority.normal
    /// A definition's worker declares its outcome through the page and is stopped through it; a plain
    /// command (`jobrun run`) is judged by its exit status and stopped with SIGTERM.
    package var speaksPage: Bool
    package var onStall: OnStall = .ask
    /// Where it is asked about a stall.
    package var onSlow: OnSlow = .ask
    /// Requeue the job with its next attempt when it died through no fault of its own.
    package var resumable = false
    package var kind = Kind.continued
    /// Its failure cancels the remaining jobs of the same submission.
    package var halts = false
    /// Only waiting jobs of the submission are cancelled; running ones continue.
    package var haltsSoon = false
    /// A success, not a failure, halts the submission.
    package var haltsOnSuccess = false
    /// An expiry is tried again as a failure is.
    package var retriesExpired = false
    /// No other job runs on this machine at the same time.
    package var isExclusive = false
    private var rareOptions: Boxed<RareOptions>?
    /// Reports without advance for this long open the prompt.
    package var stallAfter: Interval = .seconds(30)
    /// Time between the stop and SIGKILL.
    package var grace: Interval = .seconds(10)
    /// How often a failed job is tried again.
    package var retries = 0
    /// No sign of life for this long expires the job; nil = never.
    package var silentAfter: Interval?
    /// Awake time the job may run altogether; nil = no limit, and in a request that of its kind.
    package var limit: Interval?
    package var observation = Observation()
    /// The group whose slots it shares; nil = those of all jobs without one.
    package var group: GroupName?
    /// The engine of the runner's configuration that runs the attempts; nil = this machine.
    package var engine: String? {
      get { engineName?.value }
      set { engineName = newValue.map { Boxed($0) } }
    }
    private var engineName: Boxed<String>?

    package init(speaksPage: Bool) {
      self.speaksPage = speaksPage
    }

    /// The default silence limit of definitions and of programs' tasks.
    package static let defaultSilence = Interval.seconds(120)
  }
}

// The options that few jobs set are boxed: a hundred thousand jobs may wait.
extension Submission.Options {
  /// Those options, under the names that they have outside.
  package struct RareOptions: Hashable, Sendable {
    package var slots = 1
    package var haltAfter = 1
    package var groupSlots = 0
    package var startsApart: Interval?
    package var retryDelay: Interval?
    package var answerWithin: Interval?

    package init() {}
  }

  /// All of them at once, for what goes over each.
  package var rare: RareOptions {
    get { rareOptions?.value ?? RareOptions() }
    set { rareOptions = newValue == RareOptions() ? nil : Boxed(newValue) }
  }

  /// Slots that it takes; all of them if there are fewer.
  package var slots: Int {
    get { rare.slots }
    set { rare.slots = newValue }
  }

  /// How many of its submission have to fail, or succeed, before they are halted.
  package var haltAfter: Int {
    get { rare.haltAfter }
    set { rare.haltAfter = newValue }
  }

  /// Slots of its group until someone sets them; 0 = the default.
  package var groupSlots: Int {
    get { rare.groupSlots }
    set { rare.groupSlots = newValue }
  }

  /// The least time between the starts of two jobs of the same submission; nil = none.
  package var startsApart: Interval? {
    get { rare.startsApart }
    set { rare.startsApart = newValue }
  }

  /// How long a failed job waits for its next attempt; nil = longer each time (`BackOff`).
  package var retryDelay: Interval? {
    get { rare.retryDelay }
    set { rare.retryDelay = newValue }
  }

  /// How long a question may stay unanswered before the job is stopped; nil = until another waits for its
  /// GPUs.
  package var answerWithin: Interval? {
    get { rare.answerWithin }
    set { rare.answerWithin = newValue }
  }
}
