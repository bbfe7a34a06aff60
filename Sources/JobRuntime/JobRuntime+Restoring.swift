package import JobCore

// Jobs of an earlier driver, restored from its journal.
extension JobRuntime {
  /// Restores a job from the journal: it waits for its next attempt, or one is running.
  ///
  /// After a reboot (`isSameBoot` false) it holds no resources, and its instants are invalid, because the clock
  /// has started anew.
  package func restore(_ job: LiveJob, isSameBoot: Bool, at now: Moment) {
    var job = job
    if case .paused(let pause) = job.state, job.pauseTimes.since == nil {
      // Decided, and not stored.
      job.pauseTimes.since = now.wall - (now.awake - pause.since)
    }
    if !isSameBoot { job.leaveBoot(at: now) }
    if !job.lingers { jobs[job.number] = job }
    let attempt = job.waits ? job.attempt + 1 : job.attempt
    inbox.append(
      .restore(
        job.number, job.submission, attempt: attempt, job.restoredPhase(isSameBoot: isSameBoot),
        past: job.past))
  }

  /// Puts the time of day and the conditions first, then the restores: running jobs must hold their slots
  /// before any job starts.
  ///
  /// The first event other than a restore settles jobs that waited for another one, so there has to be one.
  package func putRestoresFirst(at time: WallTime) {
    let (conditions, events) = (inbox.filter(\.isCondition), inbox.filter { !$0.isCondition })
    let (restores, others) = (events.filter(\.isRestore), events.filter { !$0.isRestore })
    inbox =
      [.timeOfDay(time)] + conditions + restores + others + (restores.isEmpty ? [] : [.deadline])
  }
}

extension LiveJob {
  /// Moves its instants from the clock of an earlier boot to this one's.
  fileprivate mutating func leaveBoot(at now: Moment) {
    past.runningSince = nil
    past.quietExtension = .zero
    pauseTimes.end(at: now.wall)
    switch state {
    case .queued:
      // It waits for the rest of its time.
      if let due = delayedUntilWall { delayedUntil = now.awake + (due - now.wall) }
    case .stalled, .paused: state = .running
    case .stopping(let reason, _): state = .stopping(reason, deadline: now.awake)
    case .launching, .away, .running, .ended: break
    }
  }

  fileprivate func restoredPhase(isSameBoot: Bool) -> RestoredPhase {
    let gpus = isSameBoot ? gpus : []
    if lingers { return .lingering(gpus: gpus) }
    switch state {
    case .queued(let reason):
      guard let delayedUntil else { return .queued }
      return .delayed(until: delayedUntil, reason)
    case .launching, .away: return .launching(gpus: gpus)
    case .stalled(let since): return .running(gpus: gpus, sample: sample, stalledSince: since)
    case .paused(let pause): return .paused(gpus: gpus, sample: sample, pause)
    case .stopping(let reason, let deadline):
      return .stopping(gpus: gpus, reason, deadline: deadline)
    case .running, .ended: return .running(gpus: gpus, sample: sample, stalledSince: nil)
    }
  }
}

extension Event {
  fileprivate var isRestore: Bool { if case .restore = self { true } else { false } }
}

extension Event {
  /// Whether it only sets conditions for starts, and starts no job.
  fileprivate var isCondition: Bool {
    switch self {
    case .pauseRunner, .pauseGroup, .counted, .halted, .engines, .settings, .saving, .busy, .budget,
      .uses:
      true
    default: false
    }
  }
}
