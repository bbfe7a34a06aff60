package import JobCore
import LinuxSystem

/// The interval of progress updates to all subscribers.
///
/// The requested interval, as long as the updates take at most a sixth of a processor; above that, the pauses
/// grow. A thousand readers of a hundred busy jobs cost no more than that, and still see all jobs move.
package struct ProgressPace {
  /// A pause lasts this many times as long as the update took.
  private static let rest: UInt64 = 5
  /// Progress is never older than this.
  private static let longest = Interval.seconds(1)

  /// No updates before this time.
  package private(set) var earliest = Instant(nanoseconds: 0)
  /// The thread's processor time when the update began; nil when it is over.
  private var began: UInt64?

  package init() {}

  /// The interval at which a job is observed for an attached terminal, by how long nothing has moved.
  ///
  /// Neither a growing log nor the position in an open file wakes the runner, so a still job costs wake-ups as long
  /// as it is watched.
  package static func observation(still: Interval) -> Interval {
    if still < .seconds(10) { return .seconds(1) }
    return still < .seconds(60) ? .seconds(2) : .seconds(5)
  }

  mutating func begin() {
    began = ThreadClock.nanoseconds()
  }

  /// All has been written that the readers take.
  mutating func end(at now: Instant) {
    guard let began else { return }
    end(at: now, spent: Interval(nanoseconds: ThreadClock.nanoseconds() - began))
    self.began = nil
  }

  /// The same, when it is known that it took `spent` of a processor.
  package mutating func end(at now: Instant, spent: Interval) {
    let pause = Interval(nanoseconds: min(spent, Self.longest).nanoseconds * Self.rest)
    earliest = now + min(pause, Self.longest)
  }
}
