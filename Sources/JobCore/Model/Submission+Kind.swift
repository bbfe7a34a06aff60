extension Submission {
  /// The kind of start and its time limit; after Apple's request classes.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Started by a person, who watches its progress.
    case continued
    /// Long maintenance that waits for a good moment.
    case processing
    /// A short, regular update.
    case refresh
    /// A push message for the bundle's program, delivered now.
    case push
  }
}

extension Submission {
  /// Whether a running job of the same identifier continues, and this one waits for its end.
  ///
  /// As in Apple's API, a running request is no longer pending: a task submits its next request while it works,
  /// and a button may be pressed twice. A person at a terminal instead gets the error that the job already
  /// runs.
  var followsRunning: Bool { options.kind.isScheduled || isHosted }

  /// Whether it follows a running job of its identifier and does not stop it.
  var leavesRunning: Bool { followsRunning && options.ifExists != .replace }
}

extension Submission.Kind {
  /// Whether the runner picks the start time: such a request waits beside a running one of its name, and the
  /// number of waiting ones per bundle is limited.
  package var isScheduled: Bool { self != .continued }

  /// The default time limit of a task; nil = unlimited.
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
