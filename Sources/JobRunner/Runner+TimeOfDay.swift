import JobCore
import JobWire
import LinuxSystem

extension Runner {
  /// Sets the alarm to the time of day that the core waits for.
  ///
  /// Nothing else wakes the runner for it: with a request for tonight and nothing to do it sleeps
  /// until then.
  func setAlarm() {
    let wanted = core.nextTimeOfDay
    guard wanted != alarmAt else { return }
    do throws(SystemError) {
      try alarm.set(wanted?.milliseconds)
      alarmAt = wanted
    } catch {
      note("scheduled jobs cannot be started: \(error)")
    }
  }

  /// A time of day has come, or somebody set the clock.
  func takeAlarm() {
    alarm.take()
    // It has rung, or was set for another clock: it is to be set anew in any case.
    alarmAt = nil
    tellTimeOfDay()
  }

  /// Tells the core what time it is, before it hears of anything that depends on that.
  func tellTimeOfDay() { ask(.timeOfDay(wallClock())) }
}
