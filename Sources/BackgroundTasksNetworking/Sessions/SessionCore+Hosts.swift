internal import JobCore

// The limit of concurrent transfers per host.
extension SessionCore {
  private var maximumOfHost: Int { max(1, configuration.httpMaximumConnectionsPerHost) }

  /// The job that a further transfer for this host must wait for.
  func predecessor(at host: String) -> JobNumber? {
    hostLines.predecessor(at: host, atMost: maximumOfHost)
  }

  /// Adds a transfer that has its job.
  func enter(_ transfer: Transfer) {
    let record = transfer.record
    guard let job = record.job else { return }
    hostLines.change(record.request.host) {
      $0.add(record.number, JobNumber(job), after: record.predecessor.map { JobNumber($0) })
    }
  }

  /// Updates a transfer that was suspended or resumed.
  func rearrange(_ transfer: Transfer) {
    let (host, isStill) = transfer.with { state in
      (state.record.request.host, state.isStopped || state.state == .suspended)
    }
    hostLines.change(host) { $0.setSuspended(isStill, transfer.number) }
    admit(at: host)
  }

  /// Removes a transfer that has ended.
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
