package import BackgroundTasks
internal import Glibc

/// The options and arguments of a job's command line.
package protocol JobArguments: Sendable {
  /// The text of `--help`.
  static var usage: String { get }
  /// Only the usage is requested.
  var wantsHelp: Bool { get }
}

/// Why a job failed.
package protocol JobProblem: Error {
  /// One sentence for a person, and the exit code: 64 = malformed command line.
  var failure: JobFailure { get }
}

/// A job's command line, read once, before its task arrives.
package struct JobCommand<Arguments: JobArguments, Problem: JobProblem>: Sendable {
  private let arguments: Result<Arguments, Problem>

  /// Reads the command line.
  ///
  /// A person who calls the program instead of submitting the job gets the usage (exit code 0), or an error
  /// about the command line (64); further messages come from the library.
  package init(_ read: () throws(Problem) -> Arguments) {
    arguments = Result(catching: read)
    guard !BGTaskScheduler.shared.isWorker else { return }
    switch arguments {
    case .success(let asked) where asked.wantsHelp:
      print(Arguments.usage)
      exit(0)
    case .failure(let problem) where problem.failure.exitCode == 64:
      Report.say(problem.failure.message)
      exit(64)
    case .success, .failure: break
    }
  }

  /// Does the requested work; a problem of the job's own ends it as failed, with its sentence.
  package func run(_ work: (Arguments) async throws -> Void) async throws {
    do {
      let asked = try arguments.get()
      if asked.wantsHelp { return Report.say(Arguments.usage) }
      try await work(asked)
    } catch let problem as Problem {
      throw problem.failure
    }
  }
}
