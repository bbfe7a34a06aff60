internal import JobCore
internal import Synchronization

// How many transfers of one host run at once.
extension SessionCore {
  private var mostOfHost: Int { max(1, configuration.httpMaximumConnectionsPerHost) }

  /// The job that one more for this host comes after.
  func predecessor(at host: String) -> JobNumber? {
    state.withLock { $0.hosts[host]?.predecessor(atMost: mostOfHost) }
  }

  /// A transfer has its job.
  func enter(_ transfer: Transfer) {
    let record = transfer.record
    guard let job = record.job else { return }
    state.withLock {
      $0.hosts[record.request.host, default: HostLine()].add(
        record.number, JobNumber(job), after: record.predecessor.map(JobNumber.init))
    }
  }

  /// A transfer stands still, or goes on.
  func rearrange(_ transfer: Transfer) {
    let (host, isStill) = transfer.with { state in
      (state.record.request.host, state.isStopped || state.state == .suspended)
    }
    state.withLock { $0.hosts[host]?.setSuspended(isStill, transfer.number) }
    admit(at: host)
  }

  /// A transfer has ended.
  func leave(_ transfer: Transfer) {
    let host = transfer.record.request.host
    state.withLock { $0.hosts[host]?.remove(transfer.number) }
    admit(at: host)
  }

  /// Lets go of those that wait for others of their host, as long as there is room.
  ///
  /// One thread at a time: the listener may be at it for what this caller did, and a program that is killed behind
  /// its call must not take with it what the runner has not heard yet.
  func admit(at host: String) {
    admission.withLock { _ in
      while let number = state.withLock({ $0.hosts[host]?.letGo(atMost: mostOfHost) }) {
        guard let transfer = task(number)?.transfer, let job = transfer.record.job else { continue }
        jobs.letGo(JobNumber(job))
        transfer.note { $0.predecessor = nil }
      }
    }
  }
}
