package import JobCore

/// The answer to a successful request.
package enum Response: Hashable, Sendable {
  case empty
  /// `kept`: the live job with this identifier; no new one was made. `duplicate`: this key was accepted before.
  case submitted(JobStatus, kept: Bool, duplicate: Bool)
  /// The accepted jobs, with this number and the following ones.
  case submittedMany(first: JobNumber, count: Int, duplicate: Bool)
  /// The progress of one submission's jobs.
  case tally(JobTally)
  /// One job, and optionally one sentence about the change.
  case job(JobStatus, message: String?)
  /// The end of a list, with its length; `isHeld`: of live jobs while all starts are paused.
  case count(Int, isHeld: Bool = false)
  /// All ended jobs that match.
  case totals([OutcomeTotal])
  case resources(ResourcesReport)
  /// The machines of a pool, in its order.
  case machines([MachineReport])
  case status(RunnerStatus)
  /// A command, here: its standard input takes `TerminalWord`s, its output is that of a job's terminal.
  case command([String])
}

/// One line that answers a request.
package enum ReplyLine: Hashable, Sendable {
  case ok(id: UInt64, Response)
  /// One job of a list; more follow.
  case job(id: UInt64, JobStatus)
  /// `id` is nil when the request's could not be read.
  case error(id: UInt64?, WireError)
}

/// One line from the runner: an answer, a line of the feed, or one for a process that hosts jobs.
package enum RunnerLine: Hashable, Sendable {
  case reply(ReplyLine)
  case feed(FeedLine)
  case host(HostLine)
}
