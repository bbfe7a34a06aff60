import JobCore
import JobRuntime
import JobWire

/// The commands to run after a job's end, and their input.
struct EndPlan {
  var settings: EndCommandSettings
  /// The path of `jobrun`.
  let command: String

  /// The job's own command, and that for all jobs.
  func commands(after line: Turn.Line, of job: LiveJob?) -> [String] {
    // A secret job's command is never shown.
    var commands = (job?.details.onEnd ?? line.object?.terms.onEnd).map { [$0] } ?? []
    if let command = settings.command, let occasion = line.occasion(of: job),
      settings.rules.runsCommand(after: occasion)
    {
      commands.append(command)
    }
    return commands
  }

  /// `NAME=VALUE` entries with the job's result, each ended by NUL.
  func variables(of job: JobStatus) -> [UInt8] {
    let entries: [(name: String, value: String)] = [
      ("JOBRUN_JOB", "\(job.number)"), ("JOBRUN_IDENTIFIER", job.identifier),
      ("JOBRUN_TITLE", job.title), ("JOBRUN_OUTCOME", job.outcome?.rawValue ?? ""),
      ("JOBRUN_EXIT_CODE", job.exitCode.map { "\($0)" } ?? ""),
      ("JOBRUN_SIGNAL", job.signal.map { "\($0)" } ?? ""),
      ("JOBRUN_STOP_REASON", job.stopReason?.code.rawValue ?? ""),
      ("JOBRUN_MESSAGE", job.message ?? job.stopReason?.message ?? ""),
      ("JOBRUN_SECONDS", "\((job.ran ?? .zero).milliseconds / 1_000)"),
      ("JOBRUN_LOG", job.log), ("JOBRUN_ATTEMPT", "\(job.attempt)"),
      ("JOBRUN_COMMAND", command),
    ]
    return entries.flatMap { Array("\($0.name)=\($0.value)".utf8).filter { $0 != 0 } + [0] }
  }
}
