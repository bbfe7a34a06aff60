internal import BackgroundTasks
internal import JobFiles

/// Why there is nothing new, each as one sentence for a person.
enum RefreshError: JobProblem, Hashable {
  /// A malformed command line.
  case usage(String)
  /// The address could not be fetched.
  case fetching(String, String)
  /// The fetched content cannot be kept.
  case keeping(String, String)
  /// The fetch succeeded, but there will be no further run.
  case scheduling(String)

  var failure: JobFailure {
    switch self {
    case .usage(let sentence): JobFailure(sentence, exitCode: 64)
    case .fetching(let address, let reason):
      JobFailure("cannot fetch \(Report.address(address)): \(reason)")
    case .keeping(let path, let reason): JobFailure("cannot keep \(path): \(reason)")
    case .scheduling(let reason):
      JobFailure("done, but the next run could not be scheduled: \(reason)")
    }
  }
}
