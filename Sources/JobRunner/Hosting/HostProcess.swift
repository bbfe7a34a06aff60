import JobCore
import JobStore
import LinuxSystem

/// A process that runs jobs of its own: it was there before them, and it is never ours to end.
final class HostProcess {
  /// Who it is, as it is stored with its jobs.
  let host: JobHost
  /// Fires when it is gone, and never for another process that got its number.
  let process: ProcessDescriptor
  /// The connection on which it listens; nil while it has none.
  var client: UInt64?
  /// Since when it has none; nil also once it was given up.
  var missedSince: Instant?
  /// Its jobs: those that have not ended, and those that linger.
  var jobs: Set<JobNumber> = []

  init(host: JobHost, process: consuming ProcessDescriptor) {
    self.host = host
    self.process = process
  }

  /// How long jobs wait for a process that lives and does not come back: the library tries again
  /// every few seconds at most.
  static let timeout = Interval.seconds(60)

  /// When its waiting jobs are given up.
  var giveUpDue: Instant? {
    jobs.isEmpty ? nil : missedSince.map { $0 + Self.timeout }
  }
}

/// What is kept of a hosted job that has ended and whose process still holds something.
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
