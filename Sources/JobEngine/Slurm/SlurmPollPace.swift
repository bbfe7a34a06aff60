/// How long until the next look at Slurm's queue.
package struct SlurmPollPace {
  /// What somebody waits for, in seconds between two looks.
  package enum Urgency: UInt64 {
    case unwanted = 1
    /// What became of an attempt is not known, or not sure.
    case unsure = 2
    case stray = 5
    case waiting = 10
    case running = 30

    /// It waits, and somebody watches it.
    package static let watched = Urgency.unsure
  }

  private var seconds: UInt64?

  private static let second: UInt64 = 1_000_000_000
  /// A look may cost the controller a twentieth of its time.
  private static let share: UInt64 = 20
  /// However long a look takes, and however often it fails, the next one comes.
  private static let longest = 60 * second
  private static let longestAfterFailure = 20 * second

  package init() {}

  package mutating func note(_ urgency: Urgency?) {
    guard let urgency else { return }
    seconds = min(seconds ?? .max, urgency.rawValue)
  }

  /// In nanoseconds, after a look that took so many and so many in a row that have failed; nil = nobody waits
  /// for anything.
  ///
  /// How long a failure took says nothing about what a look costs.
  package func pause(after took: UInt64, failures: Int) -> UInt64? {
    guard let seconds else { return nil }
    let wanted = seconds * Self.second
    if failures == 0 { return max(wanted, min(took, Self.longest / Self.share) * Self.share) }
    let backOff = min(Self.second << UInt64(min(failures, 6)), Self.longestAfterFailure)
    return min(max(wanted, backOff), Self.longestAfterFailure)
  }
}
