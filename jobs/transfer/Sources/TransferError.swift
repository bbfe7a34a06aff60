internal import BackgroundTasks
internal import JobFiles

/// Why nothing was transferred, each as the one sentence that a person reads.
enum TransferError: JobProblem, Hashable {
  /// The command line makes no sense.
  case usage(String)
  /// The address could not be fetched.
  case fetching(String, String)
  /// The file cannot be sent to the address.
  case sending(BytePath, String, String)
  /// The file cannot be read, or is another one than at the start.
  case reading(BytePath, String)
  /// The file cannot be made where it should be.
  case target(BytePath, String)
  /// Somebody else's file is there.
  case foreign(BytePath, String)
  /// What came is not what was promised.
  case content(BytePath, String)
  /// There is nothing to transfer with.
  case library(String)

  var failure: JobFailure {
    switch self {
    case .usage(let sentence): JobFailure(sentence, exitCode: 64)
    case .fetching(let address, let reason): JobFailure("cannot download \(address): \(reason)")
    case .sending(let path, let address, let reason):
      JobFailure("cannot upload \(path) to \(address): \(reason)")
    case .reading(let path, let reason): JobFailure("cannot upload \(path): \(reason)")
    case .target(let path, let reason): JobFailure("cannot write \(path): \(reason)")
    case .foreign(let path, let reason):
      JobFailure("cannot write \(path): \(reason)", exitCode: 73)
    case .content(let path, let reason): JobFailure("\(path) is not what it should be: \(reason)")
    case .library(let reason):
      JobFailure("transfers need libcurl (Debian's package libcurl4): \(reason)")
    }
  }
}
