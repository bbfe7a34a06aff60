import JobCore
import JobPage
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

// Hosted jobs of an earlier runner: their processes went on, and come back by themselves.
extension Runner {
  /// Takes in a hosted job that has not ended.
  func restoreHosted(_ row: StoredJob, _ card: LiveJob, _ owner: StoredJob.Host, isSameBoot: Bool) {
    let host = isSameBoot ? returning(row.number, owner) : nil
    guard row.phase != .queued else {
      wait(row, isSameBoot: isSameBoot)
      if host == nil {
        let why =
          isSameBoot
          ? "process \(owner.pid), which was to run it, has ended" : "the machine was restarted"
        inbox.append(.hostLost(row.number, why))
      }
      return
    }
    let live = hostedAttempt(card, attempt: row.attempt)
    live.openPage()
    live.hasStarted = row.phase != .launching && row.startedMilliseconds != nil
    inbox.append(restored(row, phase(of: row, card), attempt: row.attempt))
    guard isSameBoot else {
      let end = RunEnd(status: .rebooted, sample: card.sample)
      return inbox.append(.finished(row.number, attempt: row.attempt, end))
    }
    attempts[row.number] = live
    guard host != nil else { return hostedProcessEnded(row.number, "") }
    if live.page().outcome != .none { return hostedCompleted(row.number) }
    resumeStop(of: row, live)
  }

  /// Takes in what a hosted job that has ended still holds.
  func restoreLingering(_ row: StoredJob, isSameBoot: Bool) {
    let host = isSameBoot ? row.host.flatMap { returning(row.number, $0) } : nil
    hosts.keep(
      LingeringHost(mark: row.host?.mark ?? "", attempt: row.attempt), for: row.number)
    let event = Event.restore(
      row.number, row.submission, attempt: row.attempt, .lingering(gpus: row.gpus))
    inbox.append(event)
    guard host != nil else { return hostedProcessEnded(row.number, "") }
    let page = hostedAttempt(LiveJob(row), attempt: row.attempt)
    page.openPage()
    if page.page().outcome != .none { hostedCompleted(row.number) }
  }

  /// The process, if it is still there; from now on it is expected back.
  private func returning(_ number: JobNumber, _ owner: StoredJob.Host) -> HostProcess? {
    guard let host = try? hosts.watch(owner) else { return nil }
    host.jobs.insert(number)
    return host
  }
}
