import JobCore
import JobRuntime
import LinuxSystem

// A job may stop its own supervisor, and end: nobody else would tell of that.
extension LocalExecutor {
  private static let stoppedPause = Interval.seconds(1)

  /// Somebody has stopped these children of the runner.
  func noticeStopped(_ pids: [Int32]) {
    guard !pids.isEmpty else { return }
    let numbers = attempts.values.filter { live in
      live.isChild && live.supervisorPID.map { pids.contains($0) } == true
    }.map(\.number)
    guard !numbers.isEmpty else { return }
    stopped += numbers.filter { !stopped.contains($0) }
    stoppedAt = .now()
  }

  /// Lets those go on whose worker has ended; the others are somebody's to stop for as long as they like.
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
