internal import JobCore

/// The runner's variables in this process's environment.
struct WorkerLaunch: Sendable {
  /// The job's number; nil if it is not set.
  var number: JobNumber?
  /// The job's whole identifier.
  var identifier: String
  /// The path of the job's page.
  var pagePath: String
  /// Which class the task has.
  var kind: TaskKind
  /// Whether a health research request asked for it.
  var isHealthResearch: Bool

  /// The session whose events it was launched for, and the lock of their receiver; nil in other launches.
  var session: (identifier: String, lock: String?)?

  /// The variable with the task's class, set by the submitting process; its only value follows.
  static let classVariable = "JOBRUN_TASK_CLASS"
  static let healthResearch = "healthResearch"

  init(environment: [String: String]) throws(WorkerError) {
    guard let pagePath = environment["JOBRUN_PAGE"], !pagePath.isEmpty else {
      throw .notLaunched(missing: "JOBRUN_PAGE")
    }
    guard let identifier = environment["JOBRUN_IDENTIFIER"], !identifier.isEmpty else {
      throw .notLaunched(missing: "JOBRUN_IDENTIFIER")
    }
    self.pagePath = pagePath
    self.identifier = identifier
    number = environment["JOBRUN_JOB"].flatMap(UInt64.init).map { JobNumber($0) }
    isHealthResearch = environment[Self.classVariable] == Self.healthResearch
    session = environment[SessionEvents.variable].map {
      ($0, environment[SessionEvents.lockVariable])
    }
    // Without this variable, or with an unknown kind, a person submitted the job.
    kind = environment["JOBRUN_KIND"].flatMap(TaskKind.init(rawValue:)) ?? .continued
  }
}

/// Why this process cannot work as a job.
package enum WorkerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The runner has not started it.
  case notLaunched(missing: String)
  /// The page is missing or invalid.
  case noPage(reason: String)
  /// The program has no handler for the job.
  case noHandler(identifier: String, known: [String])

  /// The exit code of a worker that meets it (sysexits.h).
  var exitCode: Int32 {
    switch self {
    case .notLaunched: 64
    case .noPage: 70
    case .noHandler: 1
    }
  }

  package var description: String {
    switch self {
    case .notLaunched(let missing):
      "this program is a job and is started by jobrun (\(missing) is not set);"
        + " use: jobrun submit JOB, or jobrun help"
    case .noPage(let reason):
      "the job cannot report: \(reason)"
    case .noHandler(let identifier, let known):
      "this program has no handler for \(identifier), but for: "
        + (known.isEmpty ? "none at all" : known.joined(separator: ", "))
    }
  }
}
