import JobCore
import LinuxSystem

/// Wakes the runner at a time of day and when somebody sets the clock.
///
/// Nothing else wakes the runner for it: with a request for tonight and nothing to do it sleeps until
/// then.
final class TimeOfDayAlarm {
  private let alarm: WallAlarm
  /// What the alarm is set to; nil = it is not set.
  private var time: WallTime?

  /// `rang` is called at either.
  init(loop: Reactor, rang: @escaping () -> Void) throws(SystemError) {
    alarm = try WallAlarm()
    try loop.watch(alarm.number) { [unowned self] _ in
      alarm.drain()
      // It has rung, or was set for another clock: it is to be set anew in any case.
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
