import JobCore
import JobStore
import LinuxSystem

/// A process that runs hosted jobs: it existed before them, and the runner never ends it.
final class HostProcess {
  /// Its identity, as stored with its jobs.
  let host: JobHost
  /// Fires when the process is gone, and never for another process with the same number.
  let process: ProcessDescriptor
  /// The connection on which it listens; nil while it has none.
  var client: UInt64?
  /// How long it has had none; nil also once it was given up.
  var absence: HostAbsence?
  /// Its jobs that have not ended, and its lingering ones.
  var jobs: Set<JobNumber> = []

  init(host: JobHost, process: consuming ProcessDescriptor) {
    self.host = host
    self.process = process
  }

  /// When it is looked at whether its waiting jobs are given up.
  var nextLook: Instant? { jobs.isEmpty ? nil : absence?.nextLook }
}

/// The state of an ended hosted job whose process still holds resources.
struct LingeringHost {
  /// Of its host.
  let mark: String
  let attempt: Int
}

extension JobHost {
  init(mark: String, _ identity: ProcessIdentity) {
    self.init(mark: mark, pid: identity.pid, startTime: identity.startTime)
  }

  var identity: ProcessIdentity { ProcessIdentity(pid: pid, startTime: startTime) }
}
