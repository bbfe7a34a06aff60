internal import Dispatch
internal import LinuxSystem

/// The clock of deadlines: the machine's awake clock, or a test's.
protocol TaskClock: Sendable {
  /// Nanoseconds since an instant of the clock's choice; they never go back.
  var nanoseconds: UInt64 { get }

  /// Milliseconds since 1970, UTC; people set it.
  var wallMilliseconds: Int64 { get }

  /// Calls `action` once, when the clock has come to `nanoseconds`; never from within this call.
  func call(at nanoseconds: UInt64, _ action: @escaping @Sendable () -> Void)
}

/// `CLOCK_MONOTONIC`, on which pages and runner agree.
struct MachineClock: TaskClock {
  var nanoseconds: UInt64 { AwakeClock.now() }

  var wallMilliseconds: Int64 { WallClock.now() }

  /// Longer waits than this, ten years, end early; Dispatch adds them to its own clock.
  private static let longest: UInt64 = 315_360_000_000_000_000

  func call(at nanoseconds: UInt64, _ action: @escaping @Sendable () -> Void) {
    let now = AwakeClock.now()
    let wait = Int(min(Self.longest, nanoseconds > now ? nanoseconds - now : 0))
    DispatchQueue.errands.asyncAfter(deadline: .now() + .nanoseconds(wait), execute: action)
  }
}
