/// Everything the core needs to decide about one job; what is only shown or executed (title,
/// arguments, environment) stays with the runner.
package struct Submission: Hashable, Sendable {
  /// What to do when the job cannot start at this moment; after Apple's `SubmissionStrategy`.
  package enum Strategy: String, Hashable, Sendable, CaseIterable {
    case queue, fail
  }

  /// What to do when a job with the same identifier is live already.
  package enum IfExists: String, Hashable, Sendable, CaseIterable {
    /// Running: refused (73), but for requests of a program (`followsRunning`). Queued: the older is
    /// replaced, as Apple's is.
    case refuse
    /// The live one is answered instead; nothing new is made.
    case keep
    /// The running one is stopped (`superseded`), and this one starts after its end.
    case replace
  }

  /// What to do when the job stops advancing.
  package enum OnStall: String, Hashable, Sendable, CaseIterable {
    case ask, `continue`, stop
  }

  // In an order that leaves few gaps: a hundred thousand of these may wait.

  /// Random, from the submitter, unique in the store: the same key is the same submission.
  package var key: String
  package var identifier: JobIdentifier
  package var requirements = Requirements()
  package var strategy: Strategy = .queue
  package var ifExists: IfExists = .refuse
  /// A definition's worker declares its outcome through the page and is stopped through it; a plain
  /// command (`jobrun run`) is judged by its exit status and stopped with SIGTERM.
  package var speaksPage: Bool
  /// Its work runs in a process that was there before it and is not ours: it is told to stop and
  /// never killed, so that what it holds is given back only once it has let go.
  package var isHosted = false
  package var onStall: OnStall = .ask
  /// A job known dead through no fault of its own is queued again with the next attempt.
  package var resumable = false
  /// Reports without advance for this long open the prompt.
  package var stallAfter: Span = .seconds(30)
  /// Time between the stop and SIGKILL.
  package var grace: Span = .seconds(10)
  /// How often a failed job is tried again.
  package var retries = 0
  /// How long a failed job waits for its next attempt; nil = longer each time (`BackOff`).
  package var retryDelay: Span?
  /// The identifier of the bundle that a scheduled request belongs to; nil for a plain command.
  package var bundle: JobIdentifier?
  /// It starts only once all of these have ended as it needs them to; ascending, each once.
  package var after: [Prerequisite] = []
  /// No sign of life for this long expires the job; nil = never.
  package var silentAfter: Span?
  package var kind = Kind.continued
  /// Awake time the job may run altogether; nil = no limit.
  package var limit: Span?
  /// It does not start before this time of day; nil = as soon as it can.
  package var notBefore: WallTime?
  package var observation = Observation()

  package init(key: String, identifier: JobIdentifier, speaksPage: Bool) {
    self.key = key
    self.identifier = identifier
    self.speaksPage = speaksPage
  }
}
