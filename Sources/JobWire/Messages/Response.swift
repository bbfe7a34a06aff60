package import JobCore

/// What a request was answered with, when all went well.
package enum Response: Hashable, Sendable {
  case empty
  /// `kept`: the live job with this identifier, nothing new was made. `duplicate`: this key was
  /// accepted before.
  case submitted(JobStatus, kept: Bool, duplicate: Bool)
  /// So many jobs, with this number and those that follow on it.
  case submittedMany(first: JobNumber, count: Int, duplicate: Bool)
  /// How many jobs of one submission are.
  case tally(JobTally)
  /// One job, and what happened to it in one sentence when there is something to say.
  case job(JobStatus, message: String?)
  /// The end of a list, with its length; `isHeld`: of live jobs while nothing may start.
  case count(Int, isHeld: Bool = false)
  case resources(ResourcesReport)
  case status(RunnerStatus)
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
