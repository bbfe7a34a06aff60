internal import BackgroundTasks
internal import JobFiles

/// Why nothing could be done, as the one sentence that a person reads.
enum VacuumError: JobProblem, Hashable {
  /// The command line makes no sense.
  case usage(String)
  /// The folder is missing or cannot be read.
  case folder(BytePath, String)

  var failure: JobFailure {
    switch self {
    case .usage(let sentence): JobFailure(sentence, exitCode: 64)
    case .folder(let path, let reason): JobFailure("cannot look into \(path): \(reason)")
    }
  }
}
