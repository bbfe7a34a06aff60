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

  /// The least time between two starts of one identifier, once it had a second one soon after the first; nil =
  /// none.
  ///
  /// Less where there may be more starts than usual.
  package var pace: Interval? {
    guard let starts, starts > 0 else { return nil }
    return min(.minutes(5), window / UInt64(starts))
  }

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
  package var bundle: JobIdentifier
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
  /// What it was; nil = unknown.
  package let identifier: JobIdentifier?
  package let isPush: Bool
  package let startedAt: WallTime
  package let endedAt: WallTime
  package let processorTime: Interval
  package let end: UseEnd

  /// `wasKilled`: it had not ended by itself when its grace was over.
  package init(
    _ bundle: JobIdentifier, _ identifier: JobIdentifier? = nil, isPush: Bool = false,
    from startedAt: WallTime, to endedAt: WallTime, processorTime: Interval,
    _ outcome: Outcome, _ reason: StopReason.Code?, wasKilled: Bool = false
  ) {
    (self.bundle, self.startedAt, self.endedAt) = (bundle, startedAt, endedAt)
    (self.identifier, self.isPush) = (identifier, isPush)
    self.processorTime = processorTime
    end = UseEnd(outcome, reason, wasKilled: wasKilled)
  }

  /// Of a job that has ended, as a record has it.
  package init(
    _ submission: Submission, of bundle: JobIdentifier, from startedAt: WallTime,
    to endedAt: WallTime, processorTime: Interval, _ outcome: Outcome,
    _ reason: StopReason.Code?, wasKilled: Bool
  ) {
    self.init(
      bundle, submission.identifier, isPush: submission.options.kind == .push, from: startedAt,
      to: endedAt, processorTime: submission.isFreeOfCharge ? .zero : processorTime, outcome,
      reason, wasKilled: wasKilled)
  }
}

/// What the end of a run says of its bundle.
package enum UseEnd: Hashable, Sendable {
  case good, bad
  /// The cause lies outside the job.
  case neither

  /// Who was told that its time is up and ended in its grace has done as it was asked: what it declared
  /// counts, and else the end counts neither way.
  init(
    _ outcome: Outcome, _ reason: StopReason.Code?, wasKilled: Bool = false,
    declaredSuccess: Bool = false
  ) {
    self =
      switch (outcome, reason) {
      case (.succeeded, _): .good
      case (.expired, .requirementLost): .neither
      case (.expired, .limit) where !wasKilled: declaredSuccess ? .good : .neither
      case (.failed, _), (.expired, _): .bad
      case (.cancelled, _), (.interrupted, _), (.refused, _): .neither
      }
  }
}
