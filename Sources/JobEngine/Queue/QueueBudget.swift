/// Limits the calls of a queue's controller: sites let a user make a few calls a second, and a slow
/// controller is busy.
package struct QueueBudget {
  private var tokens = QueueBudget.most
  private var rate = 10.0
  private var filledAt: UInt64

  private static let most = 15.0
  private static let slowest = 0.5
  private static let fastest = 10.0
  private static let second: UInt64 = 1_000_000_000

  package init(at now: UInt64) { filledAt = now }

  /// Takes one call from the budget; false = not now.
  package mutating func take(at now: UInt64) -> Bool {
    fill(at: now)
    guard tokens >= 1 else { return false }
    tokens -= 1
    return true
  }

  /// When the next call is possible, on the same clock.
  package func next(after now: UInt64) -> UInt64 {
    let missing = max(0, 1 - tokens - Double(now - min(now, filledAt)) / 1e9 * rate)
    return now + UInt64(missing / rate * 1e9)
  }

  /// Notes the duration of a call in nanoseconds.
  package mutating func note(_ took: UInt64) {
    if took > Self.second {
      rate = max(Self.slowest, rate / 2)
    } else if took < Self.second / 10 {
      rate = min(Self.fastest, rate + 1)
    }
  }

  private mutating func fill(at now: UInt64) {
    guard now > filledAt else { return }
    tokens = min(Self.most, tokens + Double(now - filledAt) / 1e9 * rate)
    filledAt = now
  }
}
