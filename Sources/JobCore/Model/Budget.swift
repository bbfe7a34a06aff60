/// What each bundle gets of the moments that the runner picks: how often and for how long its jobs of the
/// scheduled kinds may run, and how long it waits after they failed.
///
/// Jobs of the kind that people start and watch are never counted.
package struct Budget: Hashable, Sendable {
  /// Most starts within `window`, usually one every five minutes; nil = any number.
  package var starts: Int? = 288
  /// Processor time of what was started within `window`, after which nothing more is; nil = any.
  package var processorTime: Interval? = .minutes(120)
  package var window = Interval.days(1)
  /// How long a bundle waits after a second end in a row that was no success; twice that after the third, and
  /// so on up to `longestBackOff`.
  package var backOff = Interval.minutes(5)
  package var longestBackOff = Interval.minutes(120)

  package init() {}

  /// How long a bundle waits after so many failures in a row: with 5 minutes and 2 hours 0, 0, 5, 10, 20, 40,
  /// 80 and 120 minutes.
  ///
  /// Within a day there are enough of the longest waits for a runner that has read no more than that of the
  /// past to come to the same.
  func wait(after failures: Int) -> Interval {
    guard failures > 1 else { return .zero }
    return min(longestBackOff, backOff * (1 << UInt64(min(failures - 2, 32))))
  }
}

/// What a bundle has had of its budget, and from when on it gets more.
package struct Allowance: Hashable, Sendable {
  package let bundle: JobIdentifier
  /// Within the window that ends now.
  package var starts = 0
  package var processorTime = Interval.zero
  /// Ends in a row that were no success.
  package var failures = 0
  /// Nothing is started before; nil = something may be started now.
  package var until: WallTime?
  /// Why, in one sentence.
  package var why: String?

  package init(_ bundle: JobIdentifier) { self.bundle = bundle }
}

/// One run that an earlier runner has started at a moment of its choice and that has ended.
package struct UsageRecord: Hashable, Sendable {
  package let bundle: JobIdentifier
  package let startedAt: WallTime
  package let endedAt: WallTime
  package let processorTime: Interval
  package let end: UseEnd
  /// What it was, when it was a push.
  package let push: JobIdentifier?

  package init(
    _ bundle: JobIdentifier, from startedAt: WallTime, to endedAt: WallTime,
    processorTime: Interval,
    _ outcome: Outcome, _ reason: StopReason.Code?, push: JobIdentifier? = nil
  ) {
    (self.bundle, self.startedAt, self.endedAt) = (bundle, startedAt, endedAt)
    self.processorTime = processorTime
    end = UseEnd(outcome, reason)
    self.push = push
  }
}

/// What the end of a run says of its bundle.
package enum UseEnd: Hashable, Sendable {
  case good, bad
  /// It is nobody's fault, or somebody else's.
  case neither

  init(_ outcome: Outcome, _ reason: StopReason.Code?) {
    self =
      switch (outcome, reason) {
      case (.succeeded, _): .good
      case (.expired, .requirementLost): .neither
      case (.failed, _), (.expired, _): .bad
      case (.cancelled, _), (.interrupted, _), (.refused, _): .neither
      }
  }
}
