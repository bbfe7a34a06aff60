internal import BackgroundTasks
internal import Glibc
internal import JobFiles

/// Why there is no copy, each as one sentence for a person.
enum MirrorError: JobProblem, Hashable {
  /// A malformed command line.
  case usage(String)
  /// The source cannot be read or is not a folder.
  case source(BytePath, String)
  /// The copy cannot be made at its target.
  case target(BytePath, String)
  /// No more can be written.
  case writing(BytePath, String)
  /// The finished work cannot be recorded.
  case checkpoint(String)

  var failure: JobFailure {
    switch self {
    case .usage(let sentence): JobFailure(sentence, exitCode: 64)
    case .source(let path, let reason): JobFailure("cannot mirror \(path): \(reason)")
    case .target(let path, let reason): JobFailure("cannot mirror into \(path): \(reason)")
    case .writing(let path, let reason):
      JobFailure("writing \(path) failed: \(reason); jobrun redo continues from there")
    case .checkpoint(let reason):
      JobFailure("the copied files cannot be recorded in JOBRUN_STATE_DIR: \(reason)")
    }
  }

  /// Whether this error affects all files, and not only the current one.
  static func isFatal(_ number: Int32) -> Bool {
    [ENOSPC, EDQUOT, EIO, EROFS, ENOMEM, EMFILE, ENFILE].contains(number)
  }
}
