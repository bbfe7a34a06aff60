package import JobCore

/// A message of the runner to a process that hosts jobs.
package enum HostLine: Hashable, Sendable {
  /// It is the job's turn: run it now. May come again after a lost connection.
  case launch(HostedLaunch)
  /// A person asked to pause it: whether that is possible is up to the process, which answers
  /// `Request.hostPaused`.
  case pause(JobNumber)
  /// Its pause is over.
  case resume(JobNumber)
  /// The job has ended, or never began.
  case ended(JobNumber)
}

/// The data that a process needs to run one attempt of a hosted job.
package struct HostedLaunch: Hashable, Sendable {
  package var number: JobNumber
  /// From 1.
  package var attempt: Int
  package var identifier: String
  /// Path of the job's page.
  package var page: String
  /// Leased GPUs by UUID.
  package var gpus: [String]
  /// The folder that the job keeps from one attempt to the next.
  package var stateDirectory: String

  package init(
    number: JobNumber, attempt: Int, identifier: String, page: String, gpus: [String],
    stateDirectory: String
  ) {
    self.number = number
    self.attempt = attempt
    self.identifier = identifier
    self.page = page
    self.gpus = gpus
    self.stateDirectory = stateDirectory
  }
}

/// How a process that hosts jobs makes itself known, at first and after each lost connection.
package struct HostClaim: Hashable, Sendable {
  /// The mark under which it submits; of one scheduler in one process.
  package var host: String
  /// Jobs that run in it now, or that it has completed without a confirmation.
  package var running: [JobNumber]
  /// Jobs that it submitted and that it believes to be waiting.
  package var waiting: [JobNumber]

  package init(host: String, running: [JobNumber] = [], waiting: [JobNumber] = []) {
    self.host = host
    self.running = running
    self.waiting = waiting
  }
}
