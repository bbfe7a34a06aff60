package import JobCore

/// The exit codes of `jobrun`, after `sysexits.h` and `timeout(1)` where they have a meaning.
package enum ExitCode {
  package static let success: Int32 = 0
  /// The job failed without a usable exit code.
  package static let failed: Int32 = 1
  package static let usage: Int32 = 64
  package static let notFound: Int32 = 66
  /// Impossible on this machine; also the outcome `refused`.
  package static let unavailable: Int32 = 69
  package static let internalFault: Int32 = 70
  /// Cannot create, or a job with this identifier is already running.
  package static let cannotCreate: Int32 = 73
  /// Could not start now.
  package static let tryLater: Int32 = 75
  package static let interrupted: Int32 = 76
  package static let notPermitted: Int32 = 77
  package static let badConfiguration: Int32 = 78
  /// The wait ended and the job did not: detached.
  package static let detached: Int32 = 122
  package static let expired: Int32 = 124
  package static let cancelled: Int32 = 130

  /// The lowest code that is ours; a worker's own code is passed on only below it.
  package static let ownCodesStart: Int32 = 64

  /// The code of a command that waited for a job with this outcome.
  ///
  /// `workerCode`: the worker's own exit code; nil when it had none.
  package static func of(_ outcome: Outcome, workerCode: Int32?) -> Int32 {
    switch outcome {
    case .succeeded: success
    case .failed: passedOn(workerCode)
    case .cancelled: cancelled
    case .expired: expired
    case .interrupted: interrupted
    case .refused: unavailable
    }
  }

  /// The code of a command that waited for this job; nil while the job has not ended.
  package static func of(_ job: JobStatus) -> Int32? {
    if job.outcome == .refused, job.stopReason?.code == .late { return tryLater }
    return job.outcome.map { of($0, workerCode: job.exitCode) }
  }

  private static func passedOn(_ workerCode: Int32?) -> Int32 {
    guard let workerCode, (1..<ownCodesStart).contains(workerCode) else { return failed }
    return workerCode
  }
}
