import JobCore
import LinuxSystem

/// Returns memory to the machine after a burst, once it has been quiet for a second.
final class MemoryTrimmer: Part {
  /// Approximate bytes per connection or job.
  static let bytesOfOne = 4_096
  /// Bytes that must be released before it is worth a wake-up.
  private static let worthwhile = 1 << 20
  private static let quiet = Interval.seconds(1)
  /// Under load, memory is trimmed after this many seconds at the latest.
  private static let delayLimit = 10

  private let giveBack: () -> Void
  /// Bytes that came and went since memory was given back.
  private var churn = 0
  private var delays = 0
  /// Nil = there is little to give.
  private(set) var nextDue: Instant?

  /// `giveBack` frees unused memory.
  init(giveBack: @escaping () -> Void) {
    self.giveBack = giveBack
  }

  /// Counts bytes that were needed and are no longer.
  func note(_ bytes: Int) {
    churn += bytes
    guard nextDue == nil, churn >= Self.worthwhile else { return }
    nextDue = AwakeClock.instant(in: Self.quiet)
    churn = 0
  }

  func act(at now: Instant) {
    if churn >= Self.worthwhile, delays < Self.delayLimit {
      delays += 1
      nextDue = now + Self.quiet
      churn = 0
      return
    }
    (nextDue, churn, delays) = (nil, 0, 0)
    giveBack()
  }
}
