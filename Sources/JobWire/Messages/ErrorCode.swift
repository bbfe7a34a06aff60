package import JobCore

/// The kind of a request's error; on the wire its raw value, in a shell its exit code.
///
/// Where Apple's `BGTaskScheduler.Error` has the same meaning, the name is Apple's.
package enum ErrorCode: String, Hashable, Sendable, CaseIterable {
  /// The request is invalid.
  case usage
  /// No such job, definition or identifier.
  case notFound
  /// This machine can never provide the job's resources.
  case unavailable
  /// A fault of `jobrun` itself.
  case `internal`
  /// A file or folder could not be made.
  case cannotCreate
  /// A job with this identifier runs already.
  case alreadyRunning
  /// Strategy `fail`, and the job could not start at this moment.
  case immediateRunIneligible
  /// The queue is full.
  case tooManyPendingTaskRequests
  /// The identifier or a capability is not the submitter's to use.
  case notPermitted
  /// The settings cannot be used; no runner answers with it.
  case badConfiguration
  /// The line was no request: not JSON, too long, or of another version.
  case badFrame
  /// The operation is not known to this runner.
  case unknownOperation

  /// The code of a request that the core refused.
  package init(_ refusal: Refusal.Code) {
    self =
      switch refusal {
      case .immediateRunIneligible: .immediateRunIneligible
      case .unavailable: .unavailable
      case .alreadyRunning: .alreadyRunning
      case .tooManyPendingTaskRequests: .tooManyPendingTaskRequests
      case .notWaiting: .notFound
      case .usage: .usage
      }
  }

  /// With which code a command that met this error exits.
  package var exitCode: Int32 {
    switch self {
    case .usage, .badFrame, .unknownOperation: ExitCode.usage
    case .notFound: ExitCode.notFound
    case .unavailable: ExitCode.unavailable
    case .internal: ExitCode.internalFault
    case .cannotCreate, .alreadyRunning: ExitCode.cannotCreate
    case .immediateRunIneligible, .tooManyPendingTaskRequests: ExitCode.tryLater
    case .notPermitted: ExitCode.notPermitted
    case .badConfiguration: ExitCode.badConfiguration
    }
  }
}

/// An error as a person reads it and a program tests it.
package struct WireError: Error, Hashable, Sendable {
  package var code: ErrorCode
  /// The error and the remedy, in one sentence.
  package var message: String

  package init(_ code: ErrorCode, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The answer to a request that the core refused.
  package init(_ refusal: Refusal) {
    self.init(ErrorCode(refusal.code), refusal.message)
  }
}
