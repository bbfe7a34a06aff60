import JobCore

extension Life {
  /// The next runner goes on from what was stored, what run records say, and who holds their locks.
  mutating func recover() {
    guard core == nil else { return }
    core = JobCore(configuration: configuration, firstNumber: nextNumber)
    world = World(configuration: configuration)
    for number in store.keys.sorted() {
      guard let stored = store[number] else { continue }
      restore(number, stored)
    }
    // Nothing may start before all that runs holds its slot again.
    inbox = inbox.filter(\.isRestore) + inbox.filter { !$0.isRestore }
    if inbox.isEmpty { rebooted = false }
    inbox.append(.timeOfDay(timeOfDay))
  }

  private mutating func restore(_ number: JobNumber, _ stored: StoredJob) {
    if case .queued = stored.state { return wait(number, stored) }
    let place = attempts.lastIndex { $0.number == number && $0.attempt == stored.attempt }
    restore(number, stored, stored.attempt, phase(of: stored, at: place))
    guard let end = end(of: place) else {
      inbox.append(.started(number, attempt: stored.attempt))
      // The runner of before may have decided to stop it, and not have told it.
      if case .stopping = stored.state, let place, !attempts[place].wasToldToStop { stop(number) }
      return
    }
    inbox.append(.finished(number, attempt: stored.attempt, end))
  }

  /// What became of an attempt, by its record and who holds it; nil while it lives.
  private mutating func end(of place: Int?) -> RunEnd? {
    guard let place else { return RunEnd(status: rebooted ? .rebooted : .revoked) }
    if attempts[place].isLocked { return nil }
    let end = attempts[place].end(at: time)
    if case .ended = attempts[place].record { return end }
    if rebooted { return RunEnd(status: .rebooted, sample: end.sample) }
    guard attempts[place].record == .empty || attempts[place].record == .revoked else { return end }
    // The supervisor never began, and now never will: the next attempt may.
    attempts[place].record = .revoked
    return RunEnd(status: .revoked)
  }

  /// A job that waited goes on waiting, for what is left of its time if it waited for one.
  private mutating func wait(_ number: JobNumber, _ stored: StoredJob) {
    guard let delay = stored.delay else { return restore(number, stored, stored.attempt, .queued) }
    let left = Span(nanoseconds: delay.at.nanoseconds - min(delay.at.nanoseconds, time.nanoseconds))
    let until = rebooted ? now + left : delay.until
    restore(number, stored, stored.attempt, .delayed(until: until, delay.reason))
  }

  private mutating func restore(
    _ number: JobNumber, _ stored: StoredJob, _ attempt: Int, _ phase: RestoredPhase
  ) {
    store[number]?.attempt = attempt
    var past = stored.past
    if rebooted { past.runningSince = nil }
    inbox.append(.restore(number, stored.submission, attempt: attempt, phase, past: past))
  }

  private func phase(of stored: StoredJob, at place: Int?) -> RestoredPhase {
    let sample = place.map { attempts[$0].sample(at: time) } ?? PageSample()
    // Instants of before a reboot mean nothing.
    switch stored.state {
    case .stopping(let reason, let deadline):
      let gpus = rebooted ? [] : stored.gpus
      return .stopping(gpus: gpus, reason, deadline: rebooted ? now : deadline)
    case _ where rebooted: return .running(gpus: [], sample: sample, stalledSince: nil)
    case .stalled(let since):
      return .running(gpus: stored.gpus, sample: sample, stalledSince: since)
    case .launching: return .launching(gpus: stored.gpus)
    case .queued, .running, .ended:
      return .running(gpus: stored.gpus, sample: sample, stalledSince: nil)
    }
  }

  /// Whether a job may end like this, by what really happened to it.
  mutating func check(_ outcome: Outcome, _ reason: StopReason?, of number: JobNumber) {
    if outcomes[number] != nil { deny("job \(number) ends twice") }
    if living.contains(where: { attempts[$0].number == number && attempts[$0].isRunning }) {
      deny("job \(number) ended \(outcome), and its worker runs")
    }
    let last = attempts.last { $0.number == number && $0.record != .empty && $0.record != .revoked }
    var blame = blamed[number] ?? []
    if wasStopped { blame.insert(.runnerStop) }
    switch outcome {
    case .succeeded where last?.record != .ended(.exited(0)) && last?.declared != .success:
      deny("job \(number) succeeded, and its worker did not")
    case .failed where last?.record == .ended(.exited(0)) && last?.declared == .success:
      deny("job \(number) failed, and its worker succeeded")
    case .cancelled where reason?.code == .user && !blame.contains(.user):
      deny("job \(number) was cancelled by nobody")
    case .interrupted where !blame.contains(reason?.code ?? .user):
      deny("job \(number) was interrupted by nothing: \(reason?.message ?? "")")
    case .refused where reason?.code == .dependency && mayStart(number):
      deny("job \(number) was refused, and what it comes after has succeeded")
    case .succeeded, .failed, .cancelled, .expired, .interrupted, .refused: break
    }
  }

  /// Whether all that a job comes after has succeeded, or has not ended.
  private func mayStart(_ number: JobNumber) -> Bool {
    let named = store[number]?.submission.after ?? []
    return named.allSatisfy { outcomes[$0.number] == nil || $0.isMet(by: outcomes[$0.number]) }
  }
}
