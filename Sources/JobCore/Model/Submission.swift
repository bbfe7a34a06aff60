/// The data that the core needs to decide about one job; the runner keeps the rest (title, arguments,
/// environment).
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
    /// The reply is the live job; no new one is made.
    case keep
    /// The running one is stopped (`superseded`), and this one starts after its end.
    case replace
  }

  /// What to do when the job stops advancing.
  package enum OnStall: String, Hashable, Sendable, CaseIterable {
    case ask, `continue`, stop
  }

  /// What to do when the job takes far longer than expected.
  package enum OnSlow: String, Hashable, Sendable, CaseIterable {
    case ask, ignore
  }

  /// The order of waiting jobs: that of the cases.
  package enum Priority: String, Hashable, Comparable, Sendable, CaseIterable {
    case high, normal, low

    /// From 0, the highest.
    package var rank: Int {
      switch self {
      case .high: 0
      case .normal: 1
      case .low: 2
      }
    }

    /// A higher priority comes before a lower one.
    package static func < (left: Priority, right: Priority) -> Bool { left.rank < right.rank }
  }

  /// Random, from the submitter, unique in the store: the same key is the same submission.
  package var key: String
  package var identifier: JobIdentifier
  /// The identifier of the bundle that a scheduled request belongs to; nil for a plain command.
  package var bundle: JobIdentifier?
  /// It starts only once all of these have ended as required; ascending, without duplicates.
  package var after: [Prerequisite] = []
  /// It does not start before this time of day; nil = as soon as it can.
  package var notBefore: WallTime?
  /// Whether it waits until a person releases it.
  package var isHeld = false
  /// The place in the queue that it was moved to, among jobs of its priority; nil = by its number.
  package var seat: Int64?

  /// All that there are; others in a file are garbage.
  package static let seats: ClosedRange<Int64> = -(1 << 62)...(1 << 62)
  /// Its work runs in an existing process that is not ours: the process is asked to stop and never killed, so
  /// its resources are released only once it has let go.
  package var isHosted = false
  /// How many jobs were submitted in one with it (`Batch`), itself included; 0 = not known, or it was alone.
  package var batchSize: Int32 = 0
  /// Boxed: they are most of it, hardly ever change, and are the same in all jobs of a batch.
  private var boxedOptions: Boxed<Options>

  package var options: Options {
    _read { yield boxedOptions.value }
    set { boxedOptions = Boxed(newValue) }
  }

  package init(key: String, identifier: JobIdentifier, options: Options) {
    self.key = key
    self.identifier = identifier
    boxedOptions = Boxed(options)
  }

  package init(key: String, identifier: JobIdentifier, speaksPage: Bool) {
    self.init(key: key, identifier: identifier, options: Options(speaksPage: speaksPage))
  }
}
