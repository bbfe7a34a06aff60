package import JobCore

extension JobStatus {
  /// What was asked of the job, as far as everybody sees it.
  package struct Terms: Hashable, Sendable {
    package var kind = Submission.Kind.continued
    /// It does not start before this time; nil when it may start at once.
    package var earliest: WallTime?
    /// What it needs of the machine, each as `RequirementText` writes it.
    package var requires: [String] = []
    /// The jobs that had to succeed before it could start, ascending.
    package var after: [JobNumber] = []
    /// Run with `sh -c` once it has ended; nil = nothing.
    package var onEnd: String?
    /// What it executes, with its arguments; nil when that is hidden or not known.
    package var command: [String]?
    /// Where it was submitted, and runs.
    package var directory: String?
    /// The jobs that had to end before it could start, however they ended, ascending.
    package var afterAny: [JobNumber] = []
    /// The jobs of which one had to succeed before it could start, ascending.
    package var afterOne: [JobNumber] = []
    /// `pipe`, `copy`, or the path of the file that it reads; nil = it reads nothing.
    package var input: String?
    /// How it comes back; nil = it does not.
    package var recurrence: Recurrence?
    /// What jobrun has added to its environment and that others may notice, as `NAME=VALUE`, and the names of the
    /// variables that its submitter set for it, whose values may be secrets.
    package var environment: [String] = []
    /// How the limits, the scheduling and the processors that it brought differ from the usual.
    package var limits: [String] = []
    package var priority = Submission.Priority.normal
    /// Whose slots it shares; nil = those of all jobs without a group.
    package var group: String?
    /// The engine that runs it, or for which it waits; nil = this machine.
    package var engine: String?
    /// The pool that has chosen its machine; nil while it waits, and for all others.
    package var pool: String?
    /// Everything else that was asked of it; nil in a table's rows, and in events, each of
    /// which would repeat it.
    package var options: Submission.Options?
    /// The files that its output goes to in place of its log; nil = the log.
    package var stdout: String?
    package var stderr: String?
    /// What is copied to its machine before each attempt, and from there after a success.
    package var send: [String] = []
    package var fetch: [String] = []
    /// How many jobs were submitted in one with it, itself included; nil when it was alone.
    package var batchSize: Int?
    /// The jobs that wait for its end, ascending; only in the answer to `show`.
    package var awaitedBy: [JobNumber] = []

    init() {}

    package init(_ submission: Submission, _ details: JobDetails, _ number: JobNumber) {
      kind = submission.options.kind
      earliest = submission.notBefore
      requires = RequirementText.format(submission.options.requirements)
      after = Self.shown(submission.after.needingSuccess)
      // What follows a secret command may well repeat it.
      onEnd = details.hidesCommand ? nil : details.onEnd
      command = details.shownCommand
      directory = details.executed?.directory
      afterAny = Self.shown(submission.after.needingAnyEnd)
      afterOne = Self.shown(submission.after.needingOneSuccess)
      input = details.input.text
      recurrence = details.recurrence
      environment = details.environment + details.variables
      limits = details.limits
      priority = submission.options.priority
      group = submission.options.group?.text
      engine = submission.options.engine
      batchSize = submission.batchSize > 0 ? Int(submission.batchSize) : nil
      (send, fetch) = (details.send, details.fetch)
      (stdout, stderr) = (details.stdout, details.stderr)
      guard stdout != nil || stderr != nil else { return }
      func filled(_ path: String) -> String {
        OutputPath.filled(
          path, number, group: group, identifier: submission.identifier.text)
      }
      (stdout, stderr) = (stdout.map(filled), stderr.map(filled))
    }

    /// Says where it runs, of a job for a pool.
    package mutating func place(on machine: String?) {
      guard let machine, machine != engine else { return }
      pool = engine
      engine = machine == MachineName.here ? nil : machine
    }

    package static func shown(_ numbers: [JobNumber]) -> [JobNumber] {
      Array(numbers.prefix(Limits.prerequisitesShown))
    }

    /// No more than a table shows.
    package init(brief submission: Submission, _ details: JobDetails) {
      earliest = submission.notBefore
      requires = RequirementText.format(submission.options.requirements)
      recurrence = details.recurrence
      priority = submission.options.priority
      group = submission.options.group?.text
      engine = submission.options.engine
      batchSize = submission.batchSize > 0 ? Int(submission.batchSize) : nil
    }
  }
}
