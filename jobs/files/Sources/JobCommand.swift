package import BackgroundTasks
internal import Glibc

/// What a job was asked for on its command line.
package protocol JobArguments: Sendable {
  /// The text of `--help`.
  static var usage: String { get }
  /// Nothing but the usage is asked for.
  var wantsHelp: Bool { get }
}

/// Why a job did not do what it was asked for.
package protocol JobProblem: Error {
  /// The one sentence that a person reads, and the exit code: 64 = the command line makes no sense.
  var failure: JobFailure { get }
}

/// A job's command line, read once, before the task that it is for comes.
package struct JobCommand<Arguments: JobArguments, Problem: JobProblem>: Sendable {
  private let arguments: Result<Arguments, Problem>

  /// Reads the command line.
  ///
  /// A person who calls the program instead of submitting the job gets the usage (exit code 0), or is
  /// told what is wrong with the command line (64); what else there is to say, the library says.
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

  /// Does the work that was asked for; a problem of the job's own ends it as failed, with its sentence.
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
