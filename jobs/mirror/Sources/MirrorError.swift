internal import BackgroundTasks
internal import Glibc
internal import JobFiles

/// Why there is no copy, each as the one sentence that a person reads.
enum MirrorError: JobProblem, Hashable {
  /// The command line makes no sense.
  case usage(String)
  /// The source cannot be read or is not a folder.
  case source(BytePath, String)
  /// The copy cannot be made where it should be.
  case target(BytePath, String)
  /// Nothing more can be written.
  case writing(BytePath, String)
  /// What was done cannot be noted.
  case checkpoint(String)

  var failure: JobFailure {
    switch self {
    case .usage(let sentence): JobFailure(sentence, exitCode: 64)
    case .source(let path, let reason): JobFailure("cannot mirror \(path): \(reason)")
    case .target(let path, let reason): JobFailure("cannot mirror into \(path): \(reason)")
    case .writing(let path, let reason):
      JobFailure("writing \(path) failed: \(reason); jobrun redo goes on from there")
    case .checkpoint(let reason):
      JobFailure("what was copied cannot be noted in JOBRUN_STATE_DIR: \(reason)")
    }
  }

  /// Whether no file at all can be written after this error, and not only the one at hand.
  static func isFatal(_ number: Int32) -> Bool {
    [ENOSPC, EDQUOT, EIO, EROFS, ENOMEM, EMFILE, ENFILE].contains(number)
  }
}
