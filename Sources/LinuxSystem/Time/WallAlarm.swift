internal import CLinux

/// A timer on the civil clock (timerfd_create(2) with `CLOCK_REALTIME`).
///
/// It becomes readable at its time, also when the machine slept through it, and as soon as the clock is set
/// (`TFD_TIMER_CANCEL_ON_SET`), as the remaining time is another then. It causes no wake-up before.
package struct WallAlarm: ~Copyable {
  private let descriptor: FileDescriptor

  package var number: Int32 { descriptor.number }

  package init() throws(SystemError) {
    descriptor = FileDescriptor(
      owning: try SystemError.check(clinux_wall_alarm(), "make a timer"))
  }

  /// Rings at this time, in milliseconds since 1970; at once when it is past, never when it is nil.
  package borrowing func set(_ milliseconds: Int64?) throws(SystemError) {
    // Zero would stop the timer.
    let time = milliseconds.map { max(1, $0) } ?? 0
    try SystemError.check(clinux_wall_alarm_set(descriptor.number, time), "set a timer")
  }

  /// Consumes the ring, so that the descriptor is no longer readable; the alarm is off until it is set
  /// again.
  package borrowing func drain() {
    clinux_wall_alarm_take(descriptor.number)
  }
}
