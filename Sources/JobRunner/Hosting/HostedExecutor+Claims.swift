import JobCore
import JobRuntime
import JobWire
import LinuxSystem

// Messages of processes that host jobs.
extension HostedExecutor {
  /// A process reconnects: its running jobs continue, jobs it no longer runs are over, and its waiting jobs are
  /// offered.
  func accept(_ claim: HostClaim, of host: HostProcess) {
    let running = Set(claim.running)
    for number in host.jobs.sorted() {
      settle(number, of: host, isRunning: running.contains(number))
    }
    for number in claim.running + claim.waiting where !host.jobs.contains(number) {
      hosts.tell(.ended(number), to: host)
    }
  }

  private func settle(_ number: JobNumber, of host: HostProcess, isRunning: Bool) {
    guard let live = attempts[number] else {
      if hosts.lingering(number) != nil, !isRunning { completed(number) }
      return
    }
    if isRunning {
      if !live.hasStarted { began(live) }
    } else if live.hasStarted {
      completed(number)
    } else {
      offer(live, to: host)
    }
  }

  /// A process reports that an attempt has begun.
  func hostBegan(
    _ number: JobNumber, attempt: Int, client: Client
  ) throws(WireError) {
    guard try mayTell(of: number, client), let live = attempts[number], live.attempt == attempt,
      !live.hasStarted
    else { return }
    began(live)
  }

  /// A process reports that an attempt is complete.
  func hostCompleted(
    _ number: JobNumber, attempt: Int, client: Client
  ) throws(WireError) {
    guard try mayTell(of: number, client),
      attempts[number]?.attempt ?? hosts.lingering(number)?.attempt == attempt
    else { return }
    completed(number)
  }

  /// A process reports whether it has paused a job; returns whether that must be recorded although no request
  /// waits for it.
  func hostPaused(
    _ number: JobNumber, _ isPaused: Bool, client: Client
  ) throws(WireError) -> Bool {
    guard try mayTell(of: number, client) else { return false }
    let isAwaited = pauses.answer(number, isPaused: isPaused)
    return isPaused && !isAwaited && decides(number)
  }

  /// Whether the job is hosted by this client; one of another process is refused.
  private func mayTell(of number: JobNumber, _ client: Client) throws(WireError) -> Bool {
    let mark = runtime.jobs[number]?.host?.mark ?? hosts.lingering(number)?.mark
    guard let host = mark.flatMap({ hosts[$0] }) else { return false }
    guard (try? client.connection.peer().pid) == host.host.pid else {
      throw WireError(.notPermitted, "job \(number) is hosted by process \(host.host.pid)")
    }
    return true
  }
}
