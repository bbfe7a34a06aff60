import JobCore
import JobPage
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

/// Offers attempts to processes that were there before them, watches them through their pages, and never
/// kills one.
final class HostedExecutor: Executor {
  private let home: RunnerHome
  let runtime: JobRuntime
  let hosts: HostRegistry
  let pauses = HostedPauses()
  private let sampler: PageSampler
  private let cleanup: Cleanup
  private let notes: RunnerNotes
  /// Jobs that were offered to their hosts and have not ended.
  var attempts: [JobNumber: Attempt] = [:]

  init(
    _ home: RunnerHome, runtime: JobRuntime, hosts: HostRegistry, sampler: PageSampler,
    cleanup: Cleanup, notes: RunnerNotes
  ) {
    self.home = home
    self.runtime = runtime
    self.hosts = hosts
    self.sampler = sampler
    self.cleanup = cleanup
    self.notes = notes
  }

  var numbers: any Collection<JobNumber> { attempts.keys }

  func runs(_ number: JobNumber) -> Bool { attempts[number] != nil }

  /// Makes the page of an attempt and offers it to its process.
  func launch(_ number: JobNumber, attempt: Int, gpus: [String]) {
    guard runtime.mayLaunch(number, attempt: attempt), let liveJob = runtime.jobs[number],
      let owner = liveJob.host
    else { return }
    guard let host = hosts[owner.mark] else {
      let end = RunEnd(status: .hostEnded)
      return runtime.inbox.append(.finished(number, attempt: attempt, end))
    }
    let live = self.attempt(attempt, of: liveJob)
    do {
      try PageFile.create(
        live.pagePath, number: number.value, attempt: UInt64(attempt), title: liveJob.title,
        subtitle: liveJob.subtitle)
      try PrivateDirectory.prepare(home.paths.jobState(number))
    } catch {
      let end = RunEnd(status: .cannotStart("job \(number) cannot be started: \(error)"))
      return runtime.inbox.append(.finished(number, attempt: attempt, end))
    }
    live.openPage()
    attempts[number] = live
    offer(live, to: host)
  }

  func attempt(_ attempt: Int, of liveJob: LiveJob) -> Attempt {
    Attempt(
      number: liveJob.number, attempt: attempt, token: liveJob.token(attempt: attempt),
      recordPath: home.paths.runRecord(liveJob.number, attempt: attempt),
      pagePath: home.page(liveJob.number, attempt: attempt), isChild: false)
  }

  /// Tells the process that it is the job's turn, at once or when it has reconnected.
  func offer(_ live: Attempt, to host: HostProcess) {
    guard let liveJob = runtime.jobs[live.number] else { return }
    hosts.tell(
      .launch(
        HostedLaunch(
          number: live.number, attempt: live.attempt,
          identifier: liveJob.submission.identifier.text,
          page: live.pagePath, gpus: liveJob.gpus,
          stateDirectory: home.paths.jobState(live.number))),
      to: host)
  }

  func mark(_ number: JobNumber, _ mark: ProgressTrace.Mark) {
    guard let live = attempts[number], let liveJob = runtime.jobs[number] else { return }
    sampler.trace(live, liveJob, mark)
  }

  func sample(_ number: JobNumber) {
    if let live = attempts[number] { sampler.sample(live) }
  }

  /// A process that hosts jobs tells their progress itself.
  func isObserved(_ number: JobNumber) -> Bool { false }

  /// Writes the stop to the page, where the process reads it.
  func stop(_ number: JobNumber, reason: StopReason, deadline: Instant) {
    guard let live = attempts[number] else { return }
    do {
      try live.tellStop(reason, deadline: deadline)
    } catch {
      notes.add("job \(number) cannot be told to stop: \(error)")
    }
  }

  /// Whether only its program can pause it: it runs there, and is neither paused nor stopping.
  func decides(_ number: JobNumber) -> Bool {
    guard attempts[number]?.hasStarted == true else { return false }
    switch runtime.jobs[number]?.state {
    case .running, .stalled: return true
    default: return false
    }
  }

  /// Asks the programs of these jobs to pause them; `whenAnswered` gets those that were paused.
  func pause(_ numbers: [JobNumber], whenAnswered: @escaping ([JobNumber]) -> Void) {
    pauses.expect(numbers.filter { ask(.pause($0), of: $0) }, whenAnswered: whenAnswered)
  }

  /// The pause is over, which had begun in the program before the rules knew of it.
  func resume(_ number: JobNumber, mark: UInt64) { ask(.resume(number), of: number) }

  /// Sends a line to the process; whether it runs the job and is connected.
  @discardableResult
  func ask(_ line: HostLine, of number: JobNumber) -> Bool {
    guard attempts[number]?.hasStarted == true, let mark = runtime.jobs[number]?.host?.mark,
      let host = hosts[mark], host.client != nil
    else { return false }
    hosts.tell(line, to: host)
    return true
  }

  /// The grace period is over: the job is reported as ended even if its process continues.
  func kill(_ number: JobNumber) {
    if let live = attempts[number] { finish(live, .outlives) }
  }

  /// The task has begun.
  func began(_ live: Attempt) {
    live.hasStarted = true
    let host = runtime.jobs[live.number]?.host
    runtime.jobs[live.number]?.workerPID = host?.pid
    runtime.inbox.append(.started(live.number, attempt: live.attempt))
  }

  /// The task reports completion, or its process no longer knows it.
  func completed(_ number: JobNumber) {
    if let live = attempts[number] { return finish(live, .completed) }
    guard let left = hosts.lingering(number) else { return }
    runtime.inbox.append(.finished(number, attempt: left.attempt, RunEnd(status: .completed)))
  }

  /// The process is gone: its running jobs are over, and its waiting jobs will never run.
  func processEnded(_ number: JobNumber, _ why: String) {
    if let live = attempts[number] { return finish(live, .hostEnded) }
    if let left = hosts.lingering(number) {
      runtime.inbox.append(.finished(number, attempt: left.attempt, RunEnd(status: .hostEnded)))
    } else {
      runtime.inbox.append(.hostLost(number, why))
    }
  }

  private func finish(_ live: Attempt, _ status: RunEnd.Status) {
    sampler.sample(live)
    let page = live.page()
    var end = RunEnd(status: status, declared: RunEnd.Declared(page))
    end.sample = runtime.jobs[live.number]?.sample ?? PageSample()
    attempts[live.number] = nil
    pauses.answer(live.number, isPaused: false)
    runtime.jobs[live.number]?.apply(page, status)
    // A task that ended at once may have been quicker than the news of its start.
    if !live.hasStarted, end.declared != .nothing {
      runtime.inbox.append(.started(live.number, attempt: live.attempt))
    }
    runtime.inbox.append(.finished(live.number, attempt: live.attempt, end))
  }

  /// Forgets an ended job, or keeps its lease while its process holds resources.
  func retire(_ job: LiveJob) {
    guard let host = job.host.flatMap({ hosts[$0.mark] }) else {
      return cleanup.removeAttempts(of: job.number, count: job.attempt)
    }
    hosts.tell(.ended(job.number), to: host)
    if runtime.scheduler.isLingering(job.number) {
      hosts.keep(LingeringHost(mark: host.host.mark, attempt: job.attempt), for: job.number)
    } else {
      cleanup.removeAttempts(of: job.number, count: job.attempt)
      hosts.leave(job.number, host)
    }
  }

  /// Releases the resources of a job that had already ended.
  func released(_ number: JobNumber) {
    guard let left = hosts.release(number) else { return }
    cleanup.removeAttempts(of: number, count: left.attempt)
  }
}

extension LiveJob {
  /// Applies the text that a hosted task left on its page, or a default.
  fileprivate mutating func apply(_ page: PageSnapshot, _ status: RunEnd.Status) {
    if !page.message.isEmpty { message = page.message }
    if !page.title.isEmpty { title = page.title }
    if !page.subtitle.isEmpty { subtitle = page.subtitle }
    let pid = host?.pid ?? 0
    if status == .hostEnded, page.outcome == .none {
      message = "process \(pid), in which it ran, ended without saying how the work went"
    } else if status == .outlives, page.outcome == .none {
      warning =
        "it keeps running in process \(pid), which is never killed;"
        + " its resources stay reserved until it completes or that process ends"
    }
  }
}
