/// The signs of life of one attempt, and the suspicions against it.
///
/// Patience runs out by the clock, but a verdict falls only on looks at the page: two of them, taken
/// after the timeout ran out and at least `confirmation` apart, neither showing what was missed. A
/// machine that was suspended, or a runner that was late, therefore condemns nobody.
struct Watch: Hashable, Sendable {
  /// Between the look that raises a suspicion and the one that confirms it.
  static let confirmation = Interval.seconds(1)
  /// How often it is looked while timeout lasts: what was last seen to move may have stopped right
  /// after the look before, and so a verdict is late by a quarter of the timeout at most.
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
  /// Silent for two thirds of what is allowed, and it was said.
  var isWarned = false
  /// A look was asked for and has not been answered.
  var askedAt: Instant?
  /// How much of the quiet phase that the job has announced passed while it was paused.
  var quietExtension = Interval.zero
  /// When what it counts changed last.
  var countedAt: Instant
  /// At most one, on the heap: most jobs wait, and have counted nothing.
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
    // Shorter timeout than the distance of two looks would only mean looking all the time.
    self.stallTimeout = max(stallTimeout, Watch.confirmation)
  }

  /// What one look showed.
  struct Change: Hashable, Sendable {
    var reported = false
    var advanced = false
    /// It counts something else, or more or less of it.
    var counted = false
  }

  /// Takes one look; `logCounts` when a growing log is a sign of life.
  ///
  /// `ages`: how long ago what its page shows had happened, where that is known better than by the look.
  /// They say nothing about the log: what grew since the last look has lived since.
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
      restartPatience(at: ages.map { max(advancedAt, now.less($0.advanced)) } ?? now)
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
  mutating func restartPatience(at now: Instant) {
    advancedAt = now
    hasReportedSinceAdvance = false
    stallSuspectedAt = nil
  }

  /// Until when the job has announced to be quiet, pauses not counted.
  var quietUntil: Instant { sample.quietUntil + quietExtension }

  /// Goes on from what an earlier runner saw.
  mutating func restore(_ sample: PageSample, _ past: PastAttempts) {
    self.sample = sample
    quietExtension = past.quietExtension
    question = past.question
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

  /// What was said at first of the time that it takes; nil before anything was.
  var expected: Interval? { rarities.first?.pace.expected }

  /// Why it is asked whether it is to go on; nil = it does not advance.
  var question: Question? {
    get { rarities.first?.question }
    set { if newValue != question { rarity.question = newValue } }
  }

  /// When a look first showed that it has reported words alone for too long.
  var textsSuspectedAt: Instant? {
    get { rarities.first?.textsSuspectedAt }
    set { if newValue != textsSuspectedAt { rarity.textsSuspectedAt = newValue } }
  }

  /// Nothing happened from `since` on for a while, which the clocks do not count; what was suspected has
  /// to be seen anew.
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

  /// When to look next at a running job.
  func lookDue(onStall: Submission.OnStall, silentAfter: Interval?) -> Instant? {
    let stall = onStall == .continue ? nil : stallLookDue
    return held(earliest(stall, silenceLookDue(silentAfter: silentAfter)))
  }

  /// `due`, or sooner: one of the looks while `stallTimeout` lasts.
  ///
  /// In a quiet phase that the job announced nothing is looked for.
  func often(_ due: Instant, in stallTimeout: Interval) -> Instant {
    let distance = max(stallTimeout / Watch.looksPerTimeout, Watch.confirmation)
    return min(due, max(sampledAt, quietUntil) + distance)
  }

  /// When to look next at a job whose prompt is open: it may have gone on, or fallen silent.
  func promptLookDue(silentAfter: Interval?) -> Instant? {
    held(earliest(sampledAt + stallTimeout, silenceLookDue(silentAfter: silentAfter)))
  }

  /// A look that was asked for is not asked for again at once.
  private func held(_ due: Instant?) -> Instant? {
    guard let due, let askedAt else { return due }
    return max(due, askedAt + Watch.confirmation)
  }
}
