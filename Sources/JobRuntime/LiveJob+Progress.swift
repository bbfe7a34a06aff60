package import JobCore
package import JobWire

extension LiveJob {
  /// Nil until the worker has said anything about how far it is.
  package func progress(at now: Instant, _ wallNow: WallTime) -> JobProgress? {
    guard attempt > 0, sample.total > 0 || sample.completed > 0 else { return nil }
    var progress = JobProgress(
      completed: sample.completed, total: sample.total,
      unit: sample.unit, source: origin.source, recogniser: origin.recogniser)
    if case .ended = state { return progress }
    progress.note = origin.note
    progress.line = origin.line
    progress.holdBeforeEnd()
    switch state {
    case .running, .stalled: break
    case .queued, .away, .launching, .paused, .stopping, .ended: return progress
    }
    let now = ownTime(now)
    progress.changed = estimator.changedAt.map { wallNow - (now - $0) }
    progress.interval = estimator.interval.map(Self.seconds)
    guard case .running = state else { return progress }
    progress.rate = estimator.rate(at: now)
    progress.eta = timeLeft(at: now, wallNow).map(Self.seconds)
    if progress.eta != nil {
      progress.etaRange = estimator.range(
        total: sample.total, at: now, hasEarlier: earlierTime != nil
      )
      .map { Self.seconds($0.lowerBound)...Self.seconds($0.upperBound) }
    }
    return progress
  }

  /// `now` on a clock of the job's own, which stands still while it is paused.
  package func ownTime(_ now: Instant) -> Instant {
    var now = now
    if case .paused(let pause) = state { now = min(now, pause.since) }
    return Instant(nanoseconds: now.nanoseconds - min(now.nanoseconds, past.paused.nanoseconds))
  }

  /// What everybody says who shows this job; `now` is of its own clock.
  private func timeLeft(at now: Instant, _ wallNow: WallTime) -> Interval? {
    // How many more phases there are is unknown, and so is what follows when all that is told is done.
    guard !origin.isPart, sample.completed < sample.total || sample.total == 0 else { return nil }
    return estimator.remaining(
      total: sample.total, at: now,
      expected: earlierTime,
      elapsed: startedAt.map { (wallNow - $0).less(pauseTimes.length) } ?? .zero)
  }

  /// How long earlier runs took.
  private var earlierTime: Interval? { earlier?.expected(total: sample.total, unit: sample.unit) }

  private static func seconds(_ span: Interval) -> Double { Double(span.milliseconds) / 1_000 }

  /// Takes over what a look showed; whether that is news to those who were told before.
  package mutating func apply(_ sample: PageSample, at now: Instant, _ wallNow: WallTime) -> Bool {
    let isNew = sample != self.sample
    // The rules have forgotten it, too.
    if sample.quietUntil != self.sample.quietUntil { past.quietExtension = .zero }
    self.sample = sample
    let now = ownTime(now)
    estimator.update(completed: sample.completed, at: now)
    let left = timeLeft(at: now, wallNow)
    guard isNew || Self.differs(told, from: left, at: now) else { return false }
    told = left.map {
      Countdown(
        $0, at: now, age: now - (estimator.changedAt ?? now), interval: estimator.interval ?? .zero)
    }
    return true
  }

  private static func differs(_ told: Countdown?, from left: Interval?, at now: Instant) -> Bool {
    guard let told, let left else { return (told == nil) != (left == nil) }
    return told.differs(from: left, at: now)
  }
}
