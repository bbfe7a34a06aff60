import JobCore
import JobRuntime
import LinuxSystem

// A job may stop its own supervisor, and end: there would be no other sign of its end.
extension LocalExecutor {
  private static let stoppedPause = Interval.seconds(1)

  /// These children of the runner were stopped.
  func noticeStopped(_ pids: [Int32]) {
    guard !pids.isEmpty else { return }
    // A job may stop its supervisor before the start of that was reported.
    settleSupervisor()
    let numbers = attempts.values.filter { live in
      live.isChild && live.supervisorPID.map { pids.contains($0) } == true
    }.map(\.number)
    guard !numbers.isEmpty else { return }
    stopped += numbers.filter { !stopped.contains($0) }
    stoppedAt = .now()
  }

  /// Continues supervisors whose worker has ended; others may stay stopped as long as their user wants.
  func letSupervisorsGoOn(at now: Instant) {
    stoppedAt = now + Self.stoppedPause
    stopped.removeAll { number in
      guard let live = attempts[number], let pid = live.supervisorPID,
        ProcessStatus(pid: pid)?.isStopped == true
      else { return true }
      guard let worker = runtime.jobs[number]?.workerPID,
        ProcessStatus(pid: worker)?.isZombie ?? true
      else { return false }
      signal(live, Signal.continue)
      return true
    }
  }
}
