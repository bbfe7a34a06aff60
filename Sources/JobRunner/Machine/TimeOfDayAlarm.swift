import JobCore
import LinuxSystem

/// Wakes the runner at a time of day and when the clock is set.
///
/// There is no other wake-up for it: with only a request for tonight the runner sleeps until then.
final class TimeOfDayAlarm {
  private let alarm: WallAlarm
  /// The time of the alarm; nil = not set.
  private var time: WallTime?

  /// `rang` is called at either.
  init(loop: Reactor, rang: @escaping () -> Void) throws(SystemError) {
    alarm = try WallAlarm()
    try loop.watch(alarm.number) { [unowned self] _ in
      alarm.drain()
      // It rang, or the clock was set: set it anew in any case.
      time = nil
      rang()
    }
  }

  /// Sets it to this time; nil = to none.
  func set(_ wanted: WallTime?) throws(SystemError) {
    guard wanted != time else { return }
    try alarm.set(wanted?.milliseconds)
    time = wanted
  }
}
