public import Foundation
internal import LinuxSystem
internal import Synchronization

/// A clock that a test advances.
///
/// An embedded scheduler on it expires and stalls tasks in microseconds, and always in the same way:
/// `advance(by:)` runs all due actions in order, and returns when they are done. Code that takes `any
/// Clock<Duration>` may sleep on it, too.
public final class VirtualClock: Clock, Sendable {
  /// A point on a virtual clock.
  public struct Instant: InstantProtocol, Sendable {
    /// The time since the clock was made.
    public let elapsed: Duration

    /// The instant later by this duration.
    public func advanced(by duration: Duration) -> Instant {
      Instant(elapsed: elapsed + duration)
    }

    /// The time to a later instant; negative to an earlier one.
    public func duration(to other: Instant) -> Duration {
      other.elapsed - elapsed
    }

    /// Whether one instant is earlier.
    public static func < (left: Instant, right: Instant) -> Bool {
      left.elapsed < right.elapsed
    }
  }

  private let agenda = Mutex(VirtualAgenda())
  /// Milliseconds since 1970 at which the clock was made.
  private let startMilliseconds: Int64

  /// A clock whose time of day is `date` now; without one, it is that of the machine.
  public init(date: Date? = nil) {
    startMilliseconds = date.map(\.milliseconds) ?? WallClock.now()
  }

  /// The current time.
  public var now: Instant { Instant(elapsed: .nanoseconds(Int64(clamping: elapsed))) }

  /// The time of day, as requests with an `earliestBeginDate` see it.
  public var date: Date { Date(milliseconds: wallMilliseconds) }

  /// One nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Advances the clock and runs due actions in order.
  ///
  /// Handlers of tasks run on their own queues, as always: their reactions may come a little after the return.
  public func advance(by span: Duration) {
    let target = elapsed.addingHeld(span.wholeNanoseconds)
    while let action = agenda.withLock({ $0.next(until: target) }) { action() }
  }

  /// Returns when the clock has reached the deadline.
  ///
  /// - Throws: `CancellationError`.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let sleeper = VirtualSleeper()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        sleeper.begin(continuation)
        call(at: Self.origin.addingHeld(deadline.elapsed.wholeNanoseconds)) { sleeper.end() }
        // It may have been moved there before the call was noted.
        if now >= deadline { sleeper.end() }
      }
    } onCancel: {
      sleeper.cancel()
    }
  }

  private var elapsed: UInt64 { agenda.withLock { $0.elapsed } }
}

extension VirtualClock: TaskClock {
  /// Where the count of nanoseconds begins: a clock that has just been made is no machine at its boot.
  private static let origin: UInt64 = 3_600_000_000_000

  var nanoseconds: UInt64 { Self.origin.addingHeld(elapsed) }

  var wallMilliseconds: Int64 { startMilliseconds + Int64(clamping: elapsed / 1_000_000) }

  func call(at nanoseconds: UInt64, _ action: @escaping @Sendable () -> Void) {
    let due = nanoseconds > Self.origin ? nanoseconds - Self.origin : 0
    agenda.withLock { $0.add(action, at: due) }
  }
}
