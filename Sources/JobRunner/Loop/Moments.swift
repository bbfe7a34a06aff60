import JobCore
import JobRuntime
import LinuxSystem

// The clocks as the rules read them.

extension Instant {
  /// Now, on the clock that counts while the machine is awake.
  static func now() -> Instant { Instant(nanoseconds: AwakeClock.now()) }
}

extension Interval {
  /// For how long the machine has slept since it was started.
  static func slept() -> Interval { Interval(nanoseconds: AwakeClock.slept()) }
}

extension WallTime {
  /// Now, by the time of day.
  static func now() -> WallTime { WallTime(milliseconds: WallClock.now()) }
}

extension Moment {
  /// Now, on both clocks.
  static func now() -> Moment { Moment(awake: .now(), wall: .now()) }
}

extension AwakeClock {
  /// The instant `span` from now, held at the end of the clock.
  static func instant(in span: Interval) -> Instant { Instant.now() + span }
}
