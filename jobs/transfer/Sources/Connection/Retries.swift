/// The pieces that wait for a retry, and until when.
struct Retries {
  private struct Waiting {
    var failures = 0
    var until = ContinuousClock.now
  }

  private var waiting: [Int: Waiting] = [:]
  /// Why the last one failed.
  private(set) var reason = ""

  func isDue(_ piece: Int) -> Bool {
    waiting[piece].map { $0.until <= .now } ?? true
  }

  /// The time until the first retry is due; nil when none waits.
  var untilNext: Duration? {
    waiting.values.map(\.until).min().map { max(.zero, $0 - .now) }
  }

  mutating func forget(_ piece: Int) { waiting[piece] = nil }

  /// The delay before the next retry; nil when there were enough.
  ///
  /// A try that made progress does not count, nor does one that failed because this machine has no network.
  mutating func add(
    _ piece: Int, reason: String, asked: Duration?, brought: Int64, isAway: Bool
  ) -> Duration? {
    self.reason = reason
    var entry = waiting[piece] ?? Waiting()
    if brought > 0 { entry.failures = 0 }
    entry.failures = isAway ? max(1, entry.failures) : entry.failures + 1
    guard entry.failures < RetryRule.maximumTries else { return nil }
    let wait = RetryRule.delay(after: entry.failures, asked: asked)
    entry.until = .now + wait
    waiting[piece] = entry
    return wait
  }
}
