internal import BackgroundTasks
internal import JobFiles

/// Why there is nothing new, each as the one sentence that a person reads.
enum RefreshError: JobProblem, Hashable {
  /// The command line makes no sense.
  case usage(String)
  /// The address could not be fetched.
  case fetching(String, String)
  /// What was fetched cannot be kept.
  case keeping(String, String)
  /// All went well, but nobody will look again.
  case scheduling(String)

  var failure: JobFailure {
    switch self {
    case .usage(let sentence): JobFailure(sentence, exitCode: 64)
    case .fetching(let address, let reason):
      JobFailure("cannot fetch \(Report.address(address)): \(reason)")
    case .keeping(let path, let reason): JobFailure("cannot keep \(path): \(reason)")
    case .scheduling(let reason):
      JobFailure("done, but the next look could not be scheduled: \(reason)")
    }
  }
}
