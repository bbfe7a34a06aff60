/// The interval of a repeated command.
///
/// "Every day at 03:00" means civil time, also in the nights of a clock change; "every 10 minutes" means 10
/// minutes.
package struct Recurrence: Hashable, Sendable {
  /// At least `shortest`.
  package var every: Interval
  /// Minutes after midnight on the clock here; nil = counted from the first time on.
  package var minuteOfDay: Int?

  /// Only on these days, at `minuteOfDay`; nil = every `every`.
  package var days: CivilDays?

  package init(every: Interval, minuteOfDay: Int? = nil, days: CivilDays? = nil) {
    self.every = every
    self.minuteOfDay = minuteOfDay
    self.days = days
  }

  /// Anything more often is a loop, not a schedule.
  package static let shortest = Interval.minutes(1)

  private static let day: Int64 = 86_400_000

  /// The next time after `now`; times missed since `last`, the previous time, are skipped.
  package func next(
    after now: WallTime, last: WallTime, on calendar: some CivilCalendar
  ) -> WallTime {
    // Interval and times come from files with any content: no sum of them may overflow.
    let longest = UInt64(WallTime.latest.milliseconds)
    let step = Int64(min(max(Self.shortest.milliseconds, every.milliseconds), longest))
    let (now, stored) = (now.clampedToCalendar, last.clampedToCalendar)
    // The clock was ahead and has been corrected: ignore the time stored before.
    if let days, let time = next(on: days, after: now, stored, calendar) { return time }
    let last = stored.milliseconds - now.milliseconds > max(step, Self.day) ? now : stored
    guard let minuteOfDay, let start = gridStart(minuteOfDay, step, last, calendar) else {
      return elapsed(step, after: now, last)
    }
    // A day before the first candidate may still be due: clocks differ from the grid by hours at most.
    let passed = calendar.shown(at: now) - start - Self.day
    var shown = start + max(0, passed / step) * step
    while true {
      let time = calendar.time(showing: shown)
      if time > now { return time }
      shown += step
    }
  }

  /// The next time on one of the days; nil when there is none.
  ///
  /// A run that was started before its time does not come again then.
  private func next(
    on days: CivilDays, after now: WallTime, _ last: WallTime, _ calendar: some CivilCalendar
  ) -> WallTime? {
    let shown = Int64(min(max(0, minuteOfDay ?? 0), 1_439)) * 60_000
    let today = calendar.shown(at: now).flooredDivision(by: Self.day)
    var isLate = false
    for day in (today - 1)...(today + Int64(CivilDays.farthest)) where days.includes(day) {
      let time = calendar.time(showing: day * Self.day + shown)
      guard time > now else { continue }
      if time != last || isLate { return time }
      isLate = true
    }
    return nil
  }

  /// The civil time of the earliest possible next run; nil when civil time does not matter.
  private func gridStart(
    _ minuteOfDay: Int, _ step: Int64, _ last: WallTime, _ calendar: some CivilCalendar
  ) -> Int64? {
    let shown = calendar.shown(at: last)
    let midnight = shown - (shown % Self.day + Self.day) % Self.day
    let start = midnight + Int64(min(max(0, minuteOfDay), 1_439)) * 60_000
    if step.isMultiple(of: Self.day) { return start }
    // From 2 hours on: more often than that, an hour that comes twice would leave a hole.
    guard step >= 7_200_000, Self.day.isMultiple(of: step) else { return nil }
    return start - Self.day
  }

  private func elapsed(_ step: Int64, after now: WallTime, _ last: WallTime) -> WallTime {
    let missed = max(0, now.milliseconds - last.milliseconds) / step
    return WallTime(milliseconds: last.milliseconds + (missed + 1) * step)
  }
}

/// Civil time and its conversions; implemented by the machine's time zone.
package protocol CivilCalendar {
  /// Date and time of day there, counted in milliseconds as if it were UTC.
  func shown(at time: WallTime) -> Int64
  /// When the clock shows that: the first time of two, and a time nearby where it never does.
  func time(showing milliseconds: Int64) -> WallTime
}
