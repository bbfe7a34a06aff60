/// The time until the next poll of a queue.
package struct QueuePollPace {
  /// Why the queue is polled, in seconds between two polls.
  package enum Urgency: UInt64 {
    case unwanted = 1
    /// The state of an attempt is unknown or uncertain.
    case unsure = 2
    case stray = 5
    case waiting = 10
    case running = 30

    /// It waits, and a client watches it.
    package static let watched = Urgency.unsure
  }

  private var seconds: UInt64?

  private static let second: UInt64 = 1_000_000_000
  /// Polls may take a twentieth of the controller's time.
  private static let share: UInt64 = 20
  /// The maximum, however long a poll takes and however often it fails.
  private static let longest = 60 * second
  private static let longestAfterFailure = 20 * second

  package init() {}

  package mutating func note(_ urgency: Urgency?) {
    guard let urgency else { return }
    seconds = min(seconds ?? .max, urgency.rawValue)
  }

  /// In nanoseconds, after a poll of this duration and this many consecutive failures; nil = no reason to
  /// poll.
  ///
  /// The duration of a failed poll says nothing about the cost of polling.
  package func pause(after took: UInt64, failures: Int) -> UInt64? {
    guard let seconds else { return nil }
    let wanted = seconds * Self.second
    if failures == 0 { return max(wanted, min(took, Self.longest / Self.share) * Self.share) }
    let backOff = min(Self.second << UInt64(min(failures, 6)), Self.longestAfterFailure)
    return min(max(wanted, backOff), Self.longestAfterFailure)
  }
}
