internal import CLinux

/// A timer on the civil clock (timerfd_create(2) with `CLOCK_REALTIME`).
///
/// It becomes readable at its time, also when the machine slept through it, and at once when
/// somebody sets the clock (`TFD_TIMER_CANCEL_ON_SET`): the time to wait is another then. Until
/// either happens it wakes nobody.
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

  /// Takes the ring, so that the descriptor is no longer readable; the alarm is off afterwards, or to
  /// be set again.
  package borrowing func drain() {
    clinux_wall_alarm_take(descriptor.number)
  }
}
