/// How a job ended.
///
/// Every accepted job ends with exactly one.
package enum Outcome: String, Hashable, Sendable, CaseIterable {
  /// The job did its work.
  case succeeded
  /// The job ended by itself without success, or could not be started.
  case failed
  /// A person stopped it, or a newer submission took its place.
  case cancelled
  /// A rule stopped it: silent, stall declined, out of time, or a requirement lost.
  case expired
  /// Something outside took it down: the runner was stopped, a reboot, a dead supervisor.
  case interrupted
  /// It was queued and became impossible, or one of its prerequisites did not succeed.
  case refused
}

/// Why a job was told to stop, or was found stopped.
package struct StopReason: Hashable, Sendable {
  package enum Code: String, Hashable, Sendable, CaseIterable {
    case user, superseded, silent, stallDeclined, limit, requirementLost
    /// The question whether to continue was not answered in time.
    case unanswered
    case runnerStop, reboot, supervisorLost
    /// One of its prerequisites did not succeed.
    case dependency
    /// The engine that ran it needed its place for others.
    case preempted
    /// Its engine can never run it.
    case engine
    /// It had to start at once, but its engine did not start it in time.
    case late

    /// The outcome of a job that ends for this reason.
    package var outcome: Outcome {
      switch self {
      case .user, .superseded: .cancelled
      case .silent, .stallDeclined, .limit, .requirementLost, .unanswered: .expired
      case .runnerStop, .reboot, .supervisorLost, .preempted: .interrupted
      case .dependency, .engine, .late: .refused
      }
    }

    /// The number in the page's stop-reason word; 0 there means no reason.
    package var pageValue: UInt32 {
      switch self {
      case .user: 1
      case .superseded: 2
      case .silent: 3
      case .stallDeclined: 4
      case .limit: 5
      case .requirementLost: 6
      case .runnerStop: 7
      case .reboot: 8
      case .supervisorLost: 9
      case .dependency: 10
      case .preempted: 11
      case .engine: 12
      case .late: 13
      case .unanswered: 14
      }
    }
  }

  package var code: Code
  /// One sentence that a person reads.
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// A person asked for it; `cancelled` already says so.
  package static let requested = StopReason(.user, "it was cancelled on request")
}
