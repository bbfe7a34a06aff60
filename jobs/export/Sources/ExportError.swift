internal import BackgroundTasks
internal import JobFiles

/// Why there is no archive, each as one sentence for a person.
enum ExportError: JobProblem, Hashable {
  /// A malformed command line.
  case usage(String)
  /// The source cannot be read or is of a kind that cannot be archived.
  case source(BytePath, String)
  /// The archive cannot be made at its target.
  case target(BytePath, String)
  /// Writing failed.
  case writing(BytePath, String)

  var failure: JobFailure {
    switch self {
    case .usage(let sentence): JobFailure(sentence, exitCode: 64)
    case .source(let path, let reason): JobFailure("cannot export \(path): \(reason)")
    case .target(let path, let reason): JobFailure("cannot write \(path): \(reason)", exitCode: 1)
    case .writing(let path, let reason):
      JobFailure("writing \(path) failed: \(reason); nothing is left of it")
    }
  }

  /// The kernel's words for an error number.
  static func reason(_ number: Int32) -> String {
    Report.reason(number)
  }
}
