package import LinuxSystem

extension ProcessTree {
  /// Runners and supervisors belong to no job.
  ///
  /// One may have been started from inside a job, by a command that found no runner, and serves all
  /// jobs from then on.
  package static let programsOfNoJob = ["jobrund", "jobrun-shim", "jobrun-node", "jobrun-engine"]

  /// The processes of one attempt: what descends from its supervisor, if that is known, and what
  /// carries the attempt's mark.
  package init(of environmentEntry: [UInt8], below supervisor: ProcessIdentity?) {
    self.init(root: supervisor, includesRoot: false, environmentEntry: environmentEntry)
    independents = Self.programsOfNoJob
  }
}
