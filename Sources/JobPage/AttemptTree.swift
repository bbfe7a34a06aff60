package import LinuxSystem

extension ProcessTree {
  /// Runners and supervisors, which belong to no job.
  ///
  /// A runner may have been started from inside a job, by a command that found none, and serves all jobs
  /// from then on.
  package static let programsOfNoJob = ["jobrund", "jobrun-shim", "jobrun-engine"]

  /// The processes of one attempt: the descendants of its supervisor, if that is known, and all processes
  /// with the attempt's mark.
  package init(of environmentEntry: [UInt8], below supervisor: ProcessIdentity?) {
    self.init(root: supervisor, includesRoot: false, environmentEntry: environmentEntry)
    independents = Self.programsOfNoJob
  }
}
