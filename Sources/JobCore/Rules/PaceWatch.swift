/// How long an attempt seems to take in all, against what was expected of it.
///
/// What is expected is what its count said at first, or what earlier runs took where that is longer: work that
/// is slow from the start, and says so, is as it was expected. The pace is that of the last quarter of the run,
/// with one step on top that may be nearly done, so that work in large or uneven steps does not seem slow.
struct PaceWatch: Hashable, Sendable {
  /// More than so many times what was expected is slow.
  private static let bound: UInt64 = 4
  /// What is over sooner than this is not worth a question.
  private static let shortest = Interval.minutes(10)
  /// The shortest time that a pace is taken from.
  private static let shortestSpan = Interval.seconds(30)
  private static let longestSeconds = 3e9

  private struct Mark: Hashable, Sendable {
    var at: Instant
    var completed: UInt64

    func later(by length: Interval) -> Mark { Mark(at: at + length, completed: completed) }
  }

  /// What was said at first, or when a person had last let it go on.
  var expected: Interval?
  /// What earlier runs took.
  var usual: Interval?
  /// As it was estimated last.
  private(set) var estimate: Interval?
  private var first: Mark?
  private var older: Mark?
  private var newer: Mark?
  private var latest: UInt64 = 0
  private var advances: UInt64 = 0
  private var suspectedAt: Instant?

  /// What an estimate is measured against; nil before anything is expected.
  var reference: Interval? {
    guard let expected else { return usual }
    return usual.map { max($0, expected) } ?? expected
  }

  /// Takes the look of an attempt that began at `startedAt`.
  mutating func update(_ sample: PageSample, from startedAt: Instant, at now: Instant) {
    let mark = Mark(at: now, completed: sample.completed)
    guard sample.total > 0, sample.completed < sample.total else { return begin(nil) }
    guard let first, let older, let newer, sample.completed >= latest else { return begin(mark) }
    if sample.completed > latest { advances += 1 }
    latest = sample.completed
    let span = now - older.at
    guard advances >= 2, span >= Self.shortestSpan else { return }
    let step = max(1, (sample.completed - first.completed) / advances)
    let units = Double(sample.completed - older.completed) + Double(step)
    let left = Double(sample.total - sample.completed) / units * Double(span.nanoseconds) / 1e9
    estimate =
      (now - startedAt) + .milliseconds(UInt64(min(left, Self.longestSeconds) * 1000))
    if expected == nil { expected = estimate }
    if now - newer.at >= max(Self.shortestSpan, (now - startedAt) / 4) {
      (self.older, self.newer) = (newer, mark)
    }
  }

  private mutating func begin(_ mark: Mark?) {
    (first, older, newer) = (mark, mark, mark)
    latest = mark?.completed ?? 0
    advances = 0
    estimate = nil
    suspectedAt = nil
  }

  /// Whether it takes far longer than was expected.
  var isSlow: Bool {
    guard let estimate, let reference else { return false }
    return estimate > Self.shortest && estimate > reference * Self.bound
  }

  /// Whether two looks show that.
  mutating func judge(at now: Instant) -> Bool {
    guard isSlow else {
      suspectedAt = nil
      return false
    }
    guard let suspectedAt else {
      suspectedAt = now
      return false
    }
    return now >= suspectedAt + Watch.confirmation
  }

  /// A person lets it go on: what it takes now is what is expected.
  mutating func accept() {
    expected = estimate ?? expected
    usual = nil
    suspectedAt = nil
  }

  /// Nothing happened for a while that does not count.
  mutating func skip(_ length: Interval) {
    first = first?.later(by: length)
    older = older?.later(by: length)
    newer = newer?.later(by: length)
    suspectedAt = nil
  }
}
