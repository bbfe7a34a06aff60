/// The estimated total time of an attempt, compared with the expected time.
///
/// The expected time is the attempt's first estimate, or the time of earlier runs if that is longer: work that
/// is slow from the start, and reports so, is as expected. The pace is that of the last quarter of the run,
/// plus one step that may be nearly done, so that work in large or uneven steps does not seem slow.
struct PaceWatch: Hashable, Sendable {
  /// An attempt is slow beyond this multiple of the expected time.
  private static let bound: UInt64 = 4
  /// Attempts with a shorter estimate do not raise the question.
  private static let shortest = Interval.minutes(10)
  /// The shortest time that a pace is taken from.
  private static let shortestSpan = Interval.seconds(30)
  private static let longestSeconds = 3e9

  private struct Mark: Hashable, Sendable {
    var at: Instant
    var completed: UInt64

    func later(by length: Interval) -> Mark { Mark(at: at + length, completed: completed) }
  }

  /// The first estimate, or the one when a person last let it continue.
  var expected: Interval?
  /// The time of earlier runs.
  var usual: Interval?
  /// As it was estimated last.
  private(set) var estimate: Interval?
  private var first: Mark?
  private var older: Mark?
  private var newer: Mark?
  private var latest: UInt64 = 0
  private var advances: UInt64 = 0
  private var suspectedAt: Instant?

  /// The time to compare an estimate with; nil before there is one.
  var reference: Interval? {
    guard let expected else { return usual }
    return usual.map { max($0, expected) } ?? expected
  }

  /// Applies a sample of an attempt that began at `startedAt`.
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

  /// Whether two samples confirm that.
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

  /// A person lets it continue: the current estimate becomes the expected time.
  mutating func accept() {
    expected = estimate ?? expected
    usual = nil
    suspectedAt = nil
  }

  /// Excludes a time without activity.
  mutating func skip(_ length: Interval) {
    first = first?.later(by: length)
    older = older?.later(by: length)
    newer = newer?.later(by: length)
    suspectedAt = nil
  }
}
