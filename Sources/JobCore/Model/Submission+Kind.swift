extension Submission {
  /// Who starts a job, and how long it may take; after Apple's request classes.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Started by a person who watches it go on.
    case continued
    /// Long maintenance that waits for a good moment.
    case processing
    /// A short, regular update.
    case refresh
    /// What somebody else has to tell its program, now.
    case push
  }
}

extension Submission {
  /// Whether a running job of the same identifier goes on, and this one waits for its end.
  ///
  /// What runs is no longer pending, as Apple has it: a task asks for its next turn while it works, and
  /// a button may be pressed twice. A person at a terminal is told instead that the job runs already.
  var followsRunning: Bool { options.kind.isScheduled || isHosted }
}

extension Submission.Kind {
  /// Whether the runner picks the moment: such a request waits beside a running one of its name, and
  /// only so many of a bundle may wait.
  package var isScheduled: Bool { self != .continued }

  /// How long a task may run when its definition does not say; nil = without end.
  ///
  /// Apple gives a refresh 30 seconds (`BGAppRefreshTask`), a push as long, and processing "minutes" (`BGProcessingTask`).
  package var defaultLimit: Interval? {
    switch self {
    case .continued: nil
    case .processing: .minutes(10)
    case .refresh, .push: .seconds(30)
    }
  }

  /// Most requests of one bundle that may wait at the same time, as Apple has it; nil = any number.
  package var pendingLimit: Int? {
    switch self {
    case .continued: nil
    case .processing: 10
    case .refresh: 1
    // All that wait become one.
    case .push: nil
    }
  }
}
