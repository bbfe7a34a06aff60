import JobCore
import JobRuntime
import JobWire
import LinuxSystem

// The runtime decides and stores; here is what is done about its turns.
extension Runner {
  /// Takes everything that happened through the runtime, until nothing is left to decide.
  ///
  /// Acting may bring new events (a sample's answer); they take another turn.
  func settle() {
    noteEnergy()
    while let turn = nextTurn() {
      carryOut(turn)
      noteEnergy()
    }
    noteWakefulness()
  }

  private func nextTurn() -> Turn? {
    var journal = storage.journal
    journal.plan.settings = configuration.onEnd
    let turn = runtime.turn(at: .now(), &journal)
    if turn?.refusal != nil { runtime.putOffRetry(from: .now()) }
    return turn
  }

  /// Tells, acts, tidies up.
  ///
  /// Clients get their answers before processes are started, which takes far longer.
  private func carryOut(_ turn: Turn) {
    if let refusal = turn.refusal { notes.add("cannot store: \(refusal.message)") }
    for acceptance in turn.accepted where acceptance.kind != .oneOfMany { adopt(acceptance) }
    // What a crowd needed on its way here is not kept.
    if turn.accepted.count > Limits.requestsAtOnce {
      memory.note(turn.accepted.count * MemoryTrimmer.bytesOfOne)
    }
    // What is told must outlive this runner: where the store takes nothing, the pages say it. Of a pause
    // they do so always, and the client finds it done.
    let isRefused = turn.refusal != nil
    act(on: turn.actions.filter { isRefused || $0.isPauseOrResume })
    for answer in turn.answers { respond(to: answer) }
    server.tell(turn)
    for line in turn.lines {
      if line.kind == .ended || line.kind == .queued { leaveGPUs(line.number) }
      guard let mark = ProgressTrace.Mark(line.kind) else { continue }
      executor(of: line.number).mark(line.number, mark)
    }
    // Who is written to may be served as well.
    lookup.retiring = turn.ended
    connections.flush()
    for acceptance in turn.accepted {
      switch acceptance.kind {
      case .redone: startAfresh(acceptance.number)
      case .single: local.adoptInput(of: acceptance.number)
      case .oneOfMany: break
      }
    }
    nextRuns.plan(after: turn.lines)
    if !isRefused { act(on: turn.actions.filter { !$0.isPauseOrResume }) }
    notifier.tell(of: turn.lines, liveJobs, by: configuration.notices, remoteNotices)
    endCommands.begin(storage.journal.takePlanned())
    for number in turn.ended { retire(number) }
    lookup.retiring = []
  }

  /// What came with a job that is accepted is its own from now on.
  private func adopt(_ acceptance: Turn.Acceptance) {
    let number = acceptance.number
    if let mark = liveJobs[number]?.host?.mark { hosted.hosts[mark]?.jobs.insert(number) }
    local.adoptInput(under: acceptance.tag, for: number)
    nextRuns.accepted(acceptance.tag)
  }

  private func act(on actions: [Effect]) {
    for action in actions {
      switch action {
      case .launch(let number, let attempt, let gpus):
        executor(of: number).launch(number, attempt: attempt, gpus: gpus)
        // The driver here knows nothing of GPUs elsewhere.
        if liveJobs[number]?.engine != nil { continue }
        let before = attempt == 1 ? 0 : liveJobs[number]?.use.gpuMillijoules.take()
        gpuEnergy.begin(number, attempt: attempt, gpus: gpus, before: before)
      case .sample(let number): executor(of: number).sample(number)
      case .stop(let number, let reason, let deadline):
        executor(of: number).stop(number, reason: reason, deadline: deadline)
      case .pause(let number, let pause, let mark):
        executor(of: number).pause(number, pause, mark: mark)
      case .resume(let number, let mark): executor(of: number).resume(number, mark: mark)
      case .kill(let number): executor(of: number).kill(number)
      case .probe:
        machine.lookAgain(
          needsGPUs: liveJobs.values.contains { $0.submission.options.requirements.gpuCount > 0 })
      case .survey(let machine): engines.survey(machine)
      case .released(let number): hosted.released(number)
      case .announce, .reply: break
      }
    }
  }

  /// What is known of the GPUs of an attempt that is over was seen while it had them.
  private func leaveGPUs(_ number: JobNumber) {
    guard let job = liveJobs[number], !job.gpus.isEmpty, job.engine == nil else { return }
    machine.outdate()
    gpuEnergy.end(number)
  }

  /// Where the attempts of a job run.
  func executor(of number: JobNumber) -> any Executor {
    let trees = standIn ?? local
    guard let job = liveJobs[number] else { return trees }
    if job.host != nil { return hosted }
    return job.engine == nil ? trees : engines
  }

  /// Removes what an ended job no longer needs and forgets it; the store has its history.
  private func retire(_ number: JobNumber) {
    let executor = executor(of: number)
    if let job = runtime.retire(number) {
      gpuEnergy.retire(number, attempt: job.attempt)
      executor.retire(job)
      if executor !== engines, job.submission.options.engine != nil { engines.leave(job) }
      successes.jobEnded(job, at: .now())
    }
    memory.note(MemoryTrimmer.bytesOfOne)
    history.jobEnded()
  }
}

extension Effect {
  fileprivate var isPauseOrResume: Bool {
    switch self {
    case .pause, .resume: true
    default: false
    }
  }
}
