import JobCore
import JobPage
import JobRuntime
import LinuxSystem

// SIGTERM and SIGKILL, as the core orders them: the grace between them is its own (`Scheduler+Stop`).
extension LocalExecutor {
  /// Tells the worker to stop: by its page, and a plain command by SIGTERM as well.
  func stop(_ number: JobNumber, reason: StopReason, deadline: Instant) {
    settleSupervisor(of: number)
    guard let live = attempts[number], let liveJob = runtime.jobs[number] else {
      return forgetHeldLaunch(of: number)
    }
    // A worker that removed its page can still be told as any program is.
    var hearsPage = liveJob.submission.options.speaksPage
    do {
      if let signal = stopSignals[number] { try live.tell(stopSignal: signal) }
      try live.tellStop(reason, deadline: deadline)
    } catch {
      notes.add("the page of job \(number) cannot be written: \(error)")
      hearsPage = false
    }
    if !hearsPage || stopSignals[number] != nil { signal(live, Signal.terminate) }
  }

  /// Sends this signal in place of SIGTERM when the job is stopped.
  func choose(_ signal: Int32, for number: JobNumber) { stopSignals[number] = signal }

  /// Ends the whole tree.
  ///
  /// Asked again, which the core does after 5 s, 10 s and so on, it no longer relies on the supervisor,
  /// which may be stopped (SIGSTOP): it kills the tree directly, then the supervisor.
  func kill(_ number: JobNumber) {
    settleSupervisor(of: number)
    guard let live = attempts[number] else { return }
    if live.kills == 0 { leaveReason(live) }
    live.kills += 1
    let supervisor = live.supervisorPID.flatMap { ProcessStatus(pid: $0) }
    let isStopped = live.supervisor != nil && supervisor?.isStopped == true
    if live.supervisor == nil || isStopped && live.kills > 1 {
      live.group?.kill()
      live.tree.kill()
    }
    signal(live, isStopped && live.kills > 2 ? Signal.kill : Signal.user1)
  }

  /// Says in the page why the job is ended: the store may not take that now, and this runner may be gone
  /// before it does.
  private func leaveReason(_ live: Attempt) {
    guard case .stopping(let reason, let deadline)? = runtime.jobs[live.number]?.state,
      live.page().stop == nil
    else { return }
    // Without a page it is known as long as this runner lives.
    try? live.tellStop(reason, deadline: deadline)
  }

  /// Signals the supervisor, and continues one that is stopped.
  func signal(_ live: Attempt, _ signal: Int32) {
    do {
      try live.supervisor?.signal(signal)
      try live.supervisor?.signal(Signal.continue)
    } catch {
      notes.add("the supervisor of job \(live.number) cannot be signalled: \(error)")
    }
  }
}
