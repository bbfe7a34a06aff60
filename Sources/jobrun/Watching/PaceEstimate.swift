import JobCore
import JobWire

/// The runner's last estimate for a job, counted down until the next, so that all terminals show the same.
struct PaceEstimate: Hashable {
  private var countdown: Countdown?
  private(set) var rate: Double?
  private var changedAt: Instant?
  private var interval: Interval?

  /// Applies the runner's progress, received at `now`.
  mutating func receive(_ progress: JobProgress, at now: Moment) {
    rate = progress.rate
    interval = progress.interval.map(Self.span)
    let age = progress.changed.map { now.since($0) } ?? .zero
    changedAt = progress.changed.map { _ in now.awake.earlier(by: age) }
    countdown = progress.eta.map {
      Countdown(Self.span($0), at: now.awake, age: age, interval: interval ?? .zero)
    }
  }

  /// The counts changed, which was seen here sooner than by the runner.
  mutating func noteChange(at now: Instant) { changedAt = now }

  func remaining(at now: Instant) -> Interval? { countdown?.left(at: now) }

  /// The time without a change, if it is long enough to mention.
  func pause(at now: Instant) -> Interval? {
    changedAt.flatMap { ProgressPause.length(now - $0, interval: interval) }
  }

  /// How late the present step is while a time left is shown; nil when it is not.
  func lateness(at now: Instant) -> Interval? {
    guard countdown != nil, let changedAt, let interval, now - changedAt > interval else {
      return nil
    }
    return now - (changedAt + interval)
  }

  private static func span(_ seconds: Double) -> Interval {
    .milliseconds(UInt64(max(0, min(seconds, 1e12)) * 1_000))
  }
}

extension Instant {
  fileprivate func earlier(by span: Interval) -> Instant {
    Instant(nanoseconds: nanoseconds - min(nanoseconds, span.nanoseconds))
  }
}
