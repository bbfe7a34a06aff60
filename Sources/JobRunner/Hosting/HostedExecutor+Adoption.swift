import JobCore
import JobPage
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

// Hosted jobs of an earlier runner: their processes continued, and reconnect by themselves.
extension HostedExecutor {
  func adopt(_ row: JobRecord, isSameBoot: Bool) {
    guard let owner = row.host, let liveJob = runtime.jobs[row.number] else { return }
    let host = isSameBoot ? returning(row.number, owner) : nil
    let live = attempt(row.attempt, of: liveJob)
    live.openPage()
    live.hasStarted = row.state != .launching && row.startedMilliseconds != nil
    runtime.restore(row, isSameBoot: isSameBoot)
    guard isSameBoot else {
      let end = RunEnd(status: .rebooted, sample: liveJob.sample)
      return runtime.inbox.append(.finished(row.number, attempt: row.attempt, end))
    }
    attempts[row.number] = live
    guard host != nil else { return processEnded(row.number, "") }
    if live.page().outcome != .none { return completed(row.number) }
    guard let untold = live.untoldStop(of: row) else { return }
    stop(row.number, reason: untold.reason, deadline: untold.deadline)
  }

  /// Restores a job that waits for its turn.
  func adoptWaiting(_ row: JobRecord, isSameBoot: Bool) {
    guard let owner = row.host else { return }
    let host = isSameBoot ? returning(row.number, owner) : nil
    runtime.restore(row, isSameBoot: isSameBoot)
    guard host == nil else { return }
    let why =
      isSameBoot
      ? "process \(owner.pid), which was to run it, has ended" : "the machine was restarted"
    runtime.inbox.append(.hostLost(row.number, why))
  }

  /// Restores an ended hosted job that still holds resources.
  func adoptLingering(_ row: JobRecord, isSameBoot: Bool) {
    let host = isSameBoot ? row.host.flatMap { returning(row.number, $0) } : nil
    hosts.keep(
      LingeringHost(mark: row.host?.mark ?? "", attempt: row.attempt), for: row.number)
    runtime.restore(row, isSameBoot: isSameBoot)
    guard host != nil else { return processEnded(row.number, "") }
    let live = attempt(row.attempt, of: LiveJob(row))
    live.openPage()
    if live.page().outcome != .none { completed(row.number) }
  }

  /// The process, if it is still there; from now on it is expected back.
  private func returning(_ number: JobNumber, _ owner: JobHost) -> HostProcess? {
    guard let host = try? hosts.watch(owner) else { return nil }
    host.jobs.insert(number)
    return host
  }
}
