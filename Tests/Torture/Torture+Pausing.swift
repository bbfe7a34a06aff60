import JobCore
import JobWire
import LinuxSystem
import TestKit

/// A job that is paused and, a moment later, resumed.
struct PausedErrand {
  let number: JobNumber
  let title: String
  /// When to resume it, on `AwakeClock`; repeated until it runs.
  var resumeAt: UInt64
}

extension Torture {
  /// Pauses a running or starting job, or all of them.
  func pauseSome() throws {
    let running = liveJobs.filter { [.launching, .running, .stalled].contains($0.state) }
    guard !running.isEmpty else { return }
    let keepsSlot = random.next(upTo: 3) == 0 ? ["--keep-slot"] : []
    let isAll = random.next(upTo: 12) == 0
    let chosen = isAll ? running : [running[random.next(upTo: running.count)]]
    try command(["pause"] + (isAll ? ["--all"] : ["\(chosen[0].number)"]) + keepsSlot)
    for job in chosen { plan(job) }
  }

  var liveJobs: [JobStatus] {
    feed.jobs.values.filter { feed.live.contains($0.number) }.sorted { $0.number < $1.number }
  }

  private func plan(_ job: JobStatus) {
    guard !pauses.contains(where: { $0.number == job.number }) else { return }
    let span = UInt64(random.next(upTo: 700)) * Self.millisecond
    pauses.append(
      PausedErrand(number: job.number, title: job.title, resumeAt: AwakeClock.now() + span))
    kills.pauses += 1
  }

  /// Resumes jobs whose time has come, and all paused jobs that are not listed here.
  func resumeWhatIsDue() throws {
    let now = AwakeClock.now()
    for job in liveJobs where job.state == .paused && job.pendingReason == nil {
      if !pauses.contains(where: { $0.number == job.number }) { plan(job) }
    }
    for index in pauses.indices where pauses[index].resumeAt <= now {
      try command(["resume", "\(pauses[index].number)"])
      pauses[index].resumeAt = now + 2 * Self.second
    }
    pauses.removeAll { paused in
      guard let job = feed.jobs[paused.title] else { return false }
      return job.state == .ended || paused.resumeAt > now + Self.second && job.state != .paused
    }
    pauseCommands.removeAll { !$0.isRunning && check($0, "a pause or resume") }
  }

  private func command(_ words: [String]) throws {
    pauseCommands.append(try workplace.start(words))
  }

  /// The command may fail for a job that has ended, waits or is not paused, and for a shortage that it reports;
  /// for no other reason.
  func check(_ command: Command, _ what: String) -> Bool {
    guard let finished = try? command.wait() else { return false }
    var fine = [ExitCode.success, ExitCode.notFound]
    if settings.fault == .scarce { fine.append(ExitCode.cannotCreate) }
    let isFine = finished.status.map { fine.contains($0) } ?? false
    if !isFine, !finished.errors.contains("the runner broke the connection") {
      violations.append(
        Violation(.wrong, "\(what) ended with \(finished.ending): \(finished.errors)"))
    }
    return true
  }
}
