/// The outcome that a task reports.
enum TaskEnding: Hashable, Sendable {
  case success(message: String)
  case failure(message: String, exitCode: Int32)
  /// Back to the queue for this many seconds.
  case deferral(seconds: UInt32, message: String)

  /// The worker's exit code.
  var exitCode: Int32 {
    switch self {
    case .success: 0
    case .failure(_, let exitCode): exitCode
    case .deferral: 75  // EX_TEMPFAIL of sysexits.h: try again later.
    }
  }

  var message: String {
    switch self {
    case .success(let message), .failure(let message, _), .deferral(_, let message): message
    }
  }
}
