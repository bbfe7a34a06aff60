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

  /// Random, from the submitter, unique in the store: the same key is the same submission.
  package var key: String
  package var identifier: JobIdentifier
  /// The identifier of the bundle that a scheduled request belongs to; nil for a plain command.
  package var bundle: JobIdentifier?
  /// It starts only once all of these have ended as it needs them to; ascending, each once.
  package var after: [Prerequisite] = []
  /// It does not start before this time of day; nil = as soon as it can.
  package var notBefore: WallTime?
  /// Its work runs in a process that was there before it and is not ours: it is told to stop and
  /// never killed, so that what it holds is given back only once it has let go.
  package var isHosted = false
  package var options: Options

  package init(key: String, identifier: JobIdentifier, options: Options) {
    self.key = key
    self.identifier = identifier
    self.options = options
  }

  package init(key: String, identifier: JobIdentifier, speaksPage: Bool) {
    self.init(key: key, identifier: identifier, options: Options(speaksPage: speaksPage))
  }
}
