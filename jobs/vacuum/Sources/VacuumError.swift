internal import BackgroundTasks
internal import JobFiles

/// Why nothing was done, as one sentence for a person.
enum VacuumError: JobProblem, Hashable {
  /// A malformed command line.
  case usage(String)
  /// The folder is missing or cannot be read.
  case folder(BytePath, String)

  var failure: JobFailure {
    switch self {
    case .usage(let sentence): JobFailure(sentence, exitCode: 64)
    case .folder(let path, let reason): JobFailure("cannot read the folder \(path): \(reason)")
    }
  }
}
