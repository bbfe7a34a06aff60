internal import BackgroundTasks
internal import JobFiles

/// Why nothing was transferred, each as one sentence for a person.
enum TransferError: JobProblem, Hashable {
  /// A malformed command line.
  case usage(String)
  /// The address could not be fetched.
  case fetching(String, String)
  /// The file cannot be sent to the address.
  case sending(BytePath, String, String)
  /// The file cannot be read, or has changed since the start.
  case reading(BytePath, String)
  /// The file cannot be made at its target.
  case target(BytePath, String)
  /// Another user's file is there.
  case foreign(BytePath, String)
  /// The content is not the expected one.
  case content(BytePath, String)
  /// libcurl is missing.
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
    case .content(let path, let reason):
      JobFailure("\(path) does not have the expected content: \(reason)")
    case .library(let reason):
      JobFailure("transfers need libcurl (Debian's package libcurl4): \(reason)")
    }
  }
}
