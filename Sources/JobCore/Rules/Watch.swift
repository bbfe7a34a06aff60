/// The signs of life of one attempt, and the suspicions against it.
///
/// Timeouts run by the clock, but a verdict needs two samples of the page, taken after the timeout and at least
/// `confirmation` apart, both without the missing sign. A suspended machine or a late runner therefore never
/// causes a false verdict.
struct Watch: Hashable, Sendable {
  /// The minimum time between the sample that raises a suspicion and the one that confirms it.
  static let confirmation = Interval.seconds(1)
  /// Samples per timeout: activity may stop right after a sample, so a verdict is late by at most a quarter of
  /// the timeout.
  private static let looksPerTimeout: UInt64 = 4

  var startedAt: Instant
  var sample = PageSample()
  var sampledAt: Instant
  /// The last sign of life.
  var reportedAt: Instant
  var advancedAt: Instant
  /// How long it may report without an advance; each "continue" doubles it.
  var stallTimeout: Interval
  var stallSuspectedAt: Instant?
  /// The page changed since the last advance.
  var hasReportedSinceAdvance = false
  var silenceSuspectedAt: Instant?
  /// Silent for two thirds of its limit, and announced as such.
  var isWarned = false
  /// Its worker has succeeded, and its files are still to be fetched: neither limit nor silence ends it.
  var hasWorked = false
  /// When a sample was requested that has not arrived.
  var askedAt: Instant?
  /// The part of the announced quiet phase that passed while the job was paused.
  var quietExtension = Interval.zero
  /// When its counts last changed.
  var countedAt: Instant
  /// At most one, boxed: most jobs wait, and have counted nothing.
  private var rarities: [Rarity] = []

  private struct Rarity: Hashable {
    var pace = PaceWatch()
    var question: Question?
    var textsSuspectedAt: Instant?
  }

  init(from now: Instant, stallTimeout: Interval) {
    startedAt = now
    sampledAt = now
    reportedAt = now
    advancedAt = now
    countedAt = now
    // A timeout below the minimum distance of samples would only mean constant sampling.
    self.stallTimeout = max(stallTimeout, Watch.confirmation)
  }

  /// The differences that one sample shows.
  struct Change: Hashable, Sendable {
    var reported = false
    var advanced = false
    /// It counts other units, or more or fewer of them.
    var counted = false
  }

  /// Applies one sample; `logCounts` when a growing log is a sign of life.
  ///
  /// `ages`: the age of the page's events, if known more precisely than by the time of the sample. They do not
  /// apply to the log: growth since the last sample is activity since then.
  mutating func apply(
    _ new: PageSample, _ ages: SampleAges? = nil, at now: Instant, logCounts: Bool
  ) -> Change {
    var change = Change()
    change.reported = new.differsInWorkerFields(from: sample)
    change.advanced = change.reported && new.isAdvance(from: sample)
    change.counted = new.completed != sample.completed || new.total != sample.total
    let hasWritten = logCounts && new.logBytes > sample.logBytes
    if change.reported || hasWritten {
      let happened = ages.flatMap { hasWritten ? nil : now.less($0.reported) } ?? now
      reportedAt = max(reportedAt, happened)
      silenceSuspectedAt = nil
      isWarned = false
    }
    if new.quietUntil != sample.quietUntil { quietExtension = .zero }
    if change.advanced {
      restartTimeout(at: ages.map { max(advancedAt, now.less($0.advanced)) } ?? now)
    } else if change.reported {
      hasReportedSinceAdvance = true
    }
    if change.counted {
      countedAt = ages.map { max(countedAt, now.less($0.reported)) } ?? now
      textsSuspectedAt = nil
    }
    sample = new
    sampledAt = now
    askedAt = nil
    return change
  }

  /// The timeout for advances begins anew.
  mutating func restartTimeout(at now: Instant) {
    advancedAt = now
    hasReportedSinceAdvance = false
    stallSuspectedAt = nil
  }

  /// Until when the job has announced to be quiet, pauses not counted.
  var quietUntil: Instant { sample.quietUntil + quietExtension }

  /// Restores the state of an earlier runner.
  mutating func restore(_ sample: PageSample, _ past: PastAttempts) {
    self.sample = sample
    quietExtension = past.quietExtension
    question = past.question
    hasWorked = past.hasWorked
    if let expected = past.expected { pace.expected = expected }
  }

  private var rarity: Rarity {
    get { rarities.first ?? Rarity() }
    _modify {
      if rarities.isEmpty { rarities.append(Rarity()) }
      yield &rarities[0]
    }
  }

  /// How its estimate grows.
  var pace: PaceWatch {
    get { rarity.pace }
    _modify { yield &rarity.pace }
  }

  /// The first estimate of its time; nil before there is one.
  var expected: Interval? { rarities.first?.pace.expected }

  /// Why it is asked whether it should continue; nil = it does not advance.
  var question: Question? {
    get { rarities.first?.question }
    set { if newValue != question { rarity.question = newValue } }
  }

  /// When a sample first showed that it has reported only texts for too long.
  var textsSuspectedAt: Instant? {
    get { rarities.first?.textsSuspectedAt }
    set { if newValue != textsSuspectedAt { rarity.textsSuspectedAt = newValue } }
  }

  /// Excludes a time without activity, from `since` on, from all clocks; suspicions must be raised again.
  mutating func skip(_ length: Interval, since: Instant) {
    if quietUntil > since { quietExtension = quietExtension + length }
    startedAt = startedAt + length
    sampledAt = sampledAt + length
    reportedAt = reportedAt + length
    advancedAt = advancedAt + length
    countedAt = countedAt + length
    if !rarities.isEmpty { pace.skip(length) }
    stallSuspectedAt = nil
    textsSuspectedAt = nil
    silenceSuspectedAt = nil
    askedAt = nil
  }

  /// When to sample a running job next.
  func lookDue(onStall: Submission.OnStall, silentAfter: Interval?) -> Instant? {
    if hasWorked { return nil }
    let stall = onStall == .continue ? nil : stallLookDue
    return held(earliest(stall, silenceLookDue(silentAfter: silentAfter)))
  }

  /// `due`, or sooner: one of the samples within `stallTimeout`.
  ///
  /// No samples are due in a quiet phase that the job announced.
  func often(_ due: Instant, in stallTimeout: Interval) -> Instant {
    let distance = max(stallTimeout / Watch.looksPerTimeout, Watch.confirmation)
    return min(due, max(sampledAt, quietUntil) + distance)
  }

  /// When to sample a job with an open prompt: it may have advanced, or fallen silent.
  func promptLookDue(silentAfter: Interval?) -> Instant? {
    held(earliest(sampledAt + stallTimeout, silenceLookDue(silentAfter: silentAfter)))
  }

  /// A sample that was just requested is not requested again at once.
  private func held(_ due: Instant?) -> Instant? {
    guard let due, let askedAt else { return due }
    return max(due, askedAt + Watch.confirmation)
  }
}
