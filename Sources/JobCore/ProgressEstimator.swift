/// How fast a job advances and how long it will still take, from looks at its completed count.
///
/// A value without a clock: the runner and a terminal each keep their own and feed it what they see, as
/// often as they like. The recent rate is an exponentially weighted mean over *time* (so that looking
/// twice as often changes nothing), and the time that has passed since the last look counts as time
/// without an advance: a stalled job slows down on the screen too. A quarter of the mean over the
/// whole run is blended in, which calms the estimate for work that comes in bursts.
package struct ProgressEstimator: Hashable, Sendable {
  /// A look this old weighs 1/e of a fresh one: a quarter of the run, within these limits.
  ///
  /// A short run changes its pace within seconds; of a long one nobody wants to see the time left jump.
  private static let memoryShortest = Span.seconds(3)
  private static let memoryLongest = Span.seconds(15)
  /// Looks closer together than this are taken as one, so that a rate is not made of noise.
  private static let looksApart = Span.milliseconds(100)
  /// Before this nothing is said.
  private static let leastSpan = Span.seconds(2)
  /// Share of the whole run's mean in the rate.
  private static let wholeShare = 0.25

  private struct Look: Hashable, Sendable {
    var at: Instant
    var completed: UInt64
  }

  private var first: Look?
  /// The last look that went into the mean.
  private var folded: Look?
  private var latest: Look?
  private var advancedAt: Instant?
  /// Longest time between two advances so far.
  private var longestPause = Span.zero
  private var advances = 0
  /// Units per second, not yet divided by `weight`.
  private var sum = 0.0
  /// How much of the mean's weight there is: 0 at the start, towards 1.
  private var weight = 0.0

  package init() {}

  /// Takes one look: `completed` units were done at `now`.
  ///
  /// A count that shrank, or a clock that ran backwards, begins a new run.
  package mutating func update(completed: UInt64, at now: Instant) {
    guard let latest, let folded, completed >= latest.completed, now >= latest.at else {
      return restart(Look(at: now, completed: completed))
    }
    if completed > latest.completed { noteAdvance(at: now) }
    self.latest = Look(at: now, completed: completed)
    guard now - folded.at >= ProgressEstimator.looksApart else { return }
    fold(Look(at: now, completed: completed), since: folded)
  }

  /// Units per second; nil until it means something: at least two advances in two seconds.
  package func rate(at now: Instant) -> Double? {
    guard let first, let folded, let latest, advances >= 2,
      latest.at - first.at >= ProgressEstimator.leastSpan, weight > 0
    else { return nil }
    let idle = ProgressEstimator.decay(over: now - folded.at, memory: memory(at: folded.at))
    let recent = sum * idle / (1 - (1 - weight) * idle)
    let span = ProgressEstimator.seconds(max(now, latest.at) - first.at)
    let whole = Double(latest.completed - first.completed) / span
    let share = ProgressEstimator.wholeShare
    return recent * (1 - share) + whole * share
  }

  /// Time until `total` units are done; nil until it means something, and while no advance comes for
  /// much longer than ever before.
  package func remaining(total: UInt64, at now: Instant) -> Span? {
    guard let latest, total > 0, let rate = rate(at: now), rate > 0, !isStalled(at: now) else {
      return nil
    }
    guard latest.completed < total else { return .zero }
    let seconds = Double(total - latest.completed) / rate
    // A hundred years are no estimate.
    guard seconds < 3e9 else { return nil }
    return Span(nanoseconds: UInt64(seconds * 1e9))
  }

  /// Time until `total` units are done, led by what earlier runs took as long as little of this one is
  /// known.
  ///
  /// `expected`: what a whole run takes, by earlier ones; nil when there are none.
  /// `elapsed`: how long this one has been running.
  package func remaining(
    total: UInt64, at now: Instant, expected: Span?, elapsed: Span
  ) -> Span? {
    let own = remaining(total: total, at: now)
    guard let expected, total > 0, let latest, latest.completed < total, !isStalled(at: now) else {
      return own
    }
    // A run that takes longer than all before tells more about itself than they do.
    guard elapsed < expected else { return own }
    let left = Span(nanoseconds: expected.nanoseconds - elapsed.nanoseconds)
    guard let own else { return left }
    // 42 % of the word a quarter of the way, 13 % half-way, 2 % at three quarters.
    let missing = 1 - Double(latest.completed) / Double(total)
    let share = missing * missing * missing
    let seconds =
      ProgressEstimator.seconds(own) * (1 - share) + ProgressEstimator.seconds(left) * share
    return Span(nanoseconds: UInt64(seconds * 1e9))
  }

  /// How long no advance has come, when that is so long that a person should know: five seconds, and
  /// three times the longest pause so far; nil before anything has been done.
  ///
  /// Sooner than the time left is given up: as long as that is shown, it only grows.
  package func pause(at now: Instant) -> Span? {
    // What was begun before the first look stands still since then, for all that is known here.
    let begunBefore = (latest?.completed ?? 0) > 0 ? first?.at : nil
    guard let since = advancedAt ?? begunBefore, now - since > max(.seconds(5), longestPause * 3)
    else { return nil }
    return now - since
  }

  /// Without an advance for ten seconds and for three times the longest pause so far.
  package func isStalled(at now: Instant) -> Bool {
    guard let advancedAt else { return false }
    return now - advancedAt > max(.seconds(10), longestPause * 3)
  }

  private mutating func restart(_ look: Look) {
    self = ProgressEstimator()
    first = look
    folded = look
    latest = look
  }

  private mutating func noteAdvance(at now: Instant) {
    if let advancedAt { longestPause = max(longestPause, now - advancedAt) }
    advancedAt = now
    advances += 1
  }

  private mutating func fold(_ look: Look, since before: Look) {
    let span = look.at - before.at
    let rate = Double(look.completed - before.completed) / ProgressEstimator.seconds(span)
    let kept = ProgressEstimator.decay(over: span, memory: memory(at: look.at))
    sum = sum * kept + rate * (1 - kept)
    weight = weight * kept + (1 - kept)
    folded = look
  }

  private func memory(at now: Instant) -> Span {
    let quarter = first.map { (now - $0.at) / 4 } ?? .zero
    return min(ProgressEstimator.memoryLongest, max(ProgressEstimator.memoryShortest, quarter))
  }

  private static func seconds(_ span: Span) -> Double { Double(span.nanoseconds) / 1e9 }

  /// e to the power of −`span`/`memory`, as (1 + x/1024)^−1024: right to 0.05 % where it matters, and
  /// without a mathematics library.
  private static func decay(over span: Span, memory: Span) -> Double {
    var power = 1 + seconds(span) / seconds(memory) / 1024
    for _ in 0..<10 { power *= power }
    return 1 / power
  }
}
