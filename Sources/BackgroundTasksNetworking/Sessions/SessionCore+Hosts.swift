internal import JobCore

// How many transfers of one host run at once.
extension SessionCore {
  private var maximumOfHost: Int { max(1, configuration.httpMaximumConnectionsPerHost) }

  /// The job that one more for this host comes after.
  func predecessor(at host: String) -> JobNumber? {
    hostLines.predecessor(at: host, atMost: maximumOfHost)
  }

  /// A transfer has its job.
  func enter(_ transfer: Transfer) {
    let record = transfer.record
    guard let job = record.job else { return }
    hostLines.change(record.request.host) {
      $0.add(record.number, JobNumber(job), after: record.predecessor.map(JobNumber.init))
    }
  }

  /// A transfer stands still, or goes on.
  func rearrange(_ transfer: Transfer) {
    let (host, isStill) = transfer.with { state in
      (state.record.request.host, state.isStopped || state.state == .suspended)
    }
    hostLines.change(host) { $0.setSuspended(isStill, transfer.number) }
    admit(at: host)
  }

  /// A transfer has ended.
  func leave(_ transfer: Transfer) {
    let host = transfer.record.request.host
    hostLines.change(host) { $0.remove(transfer.number) }
    admit(at: host)
  }

  func admit(at host: String) {
    hostLines.admit(at: host, atMost: maximumOfHost) { number in
      guard let transfer = task(number)?.transfer, let job = transfer.record.job else { return }
      jobs.letGo(JobNumber(job))
      transfer.note { $0.predecessor = nil }
    }
  }
}
