import JobCore
import JobPage
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

// Pausing: the page has the desired state, also for the next runner, and the supervisor enforces it.
extension LocalExecutor {
  func pause(_ number: JobNumber, _ pause: Pause, mark: UInt64) {
    settleSupervisor(of: number)
    guard let live = attempts[number] else { return }
    noteUnreached(number)
    settle(
      PagePause(
        mark: mark, since: pause.since.nanoseconds, keepsSlot: pause.keepsSlot,
        until: pause.until?.nanoseconds ?? 0), live)
  }

  func resume(_ number: JobNumber, mark: UInt64) {
    settleSupervisor(of: number)
    guard let live = attempts[number] else { return }
    live.unreached = nil
    settle(PagePause(mark: mark), live)
  }

  /// Notes processes that a pause does not reach; skips a job that is stopping, which is not paused.
  ///
  /// A signal cannot reach another user's process, such as one of sudo; a control group is frozen as a whole,
  /// whoever owns its processes.
  func noteUnreached(_ number: JobNumber) {
    guard let live = attempts[number], live.group == nil, let supervisor = live.supervisorPID,
      runtime.jobs[number]?.isStopping == false
    else { return }
    let others = ProcessFiles.descendants(of: supervisor).filter { ProcessStatus.isOutOfReach($0) }
      .compactMap { ProcessStatus(pid: $0) }.filter { !$0.isZombie }
    guard let first = others.first else { return }
    live.unreached =
      others.count == 1
      ? "process \(first.pid) (\(first.name)) belongs to another user and keeps running"
      : "\(others.count) processes, such as \(first.pid) (\(first.name)), belong to another user and keep running"
    runtime.jobs[number]?.warning = live.unreached
  }

  /// Makes the page and tree of an adopted attempt match its state: the earlier runner may have died between a
  /// decision and its execution.
  func settlePause(_ live: Attempt) {
    guard let liveJob = runtime.jobs[live.number] else { return }
    let page = live.page().pause
    guard liveJob.past.pauseMark > 0 || page.mark > 0 else { return }
    if case .paused(let pause) = liveJob.state {
      self.pause(live.number, pause, mark: liveJob.past.pauseMark)
    } else {
      resume(live.number, mark: max(liveJob.past.pauseMark, (page.mark &+ 1) & ~1))
    }
  }

  private func settle(_ pause: PagePause, _ live: Attempt) {
    var pause = pause
    pause.before = runtime.jobs[live.number]?.past.paused.nanoseconds ?? 0
    do throws(JobPageError) {
      try PageControl(path: live.pagePath).write(pause)
      signal(live, Signal.urgent)
    } catch {
      // Without a page the supervisor gets no orders; the runner can signal the tree itself.
      notes.add("the page of job \(live.number) cannot be written: \(error)")
      if live.group?.setFrozen(pause.isPaused) == true { return }
      if pause.isPaused { live.tree.freeze() } else { live.tree.thaw() }
    }
  }
}

extension JobRecord {
  /// Updates the pause and its length from the page if that is newer: the earlier runner may have decided it
  /// without being able to store it.
  mutating func apply(_ page: PageSnapshot, at now: Instant) {
    guard page.condition == .intact else { return }
    let announced = Instant(nanoseconds: page.quietUntil)
    if announced != quietUntil { (quietUntil, quietExtension) = (announced, .zero) }
    let known = page.pause
    guard known.mark > pauseMark, known.mark <= UInt64(Int64.max) else { return }
    pauseMark = known.mark
    skip(min(Interval(nanoseconds: known.before).less(paused), now - (runningSince ?? now)))
    if known.isPaused {
      if case .stopping = state { return }
      state = .paused(
        Pause(
          since: min(Instant(nanoseconds: known.since), now), stalledSince: state.stalledSince,
          keepsSlot: known.keepsSlot,
          until: known.until == 0 ? nil : Instant(nanoseconds: known.until)))
      pausedMilliseconds = nil
    } else if case .paused(let pause) = state {
      state = pause.stalledSince.map { .stalled(since: $0) } ?? .running
      pausedMilliseconds = nil
    }
  }

  /// Excludes the length of a pause from its clocks.
  private mutating func skip(_ length: Interval) {
    var since = runningSince
    switch state {
    case .stalled(let opened): state = .stalled(since: opened + length)
    case .paused(var pause):
      since = pause.since
      pause.stalledSince = pause.stalledSince.map { $0 + length }
      state = .paused(pause)
    default: break
    }
    if quietUntil > since ?? quietUntil {
      quietExtension = quietExtension + length
    }
    paused = paused + length
    pausedFor = pausedFor + length
    runningSince = runningSince.map { $0 + length }
  }
}
