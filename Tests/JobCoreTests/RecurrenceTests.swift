import JobCore
import Testing

/// The times of a recurring command, including the nights of a clock change.
@Suite struct RecurrenceTests {
  /// A clock that shows UTC until `jump`, and is then set by `shift` hours: forward or back.
  private struct Zone: CivilCalendar {
    var jump = Int64.max
    var shift: Int64 = 0

    private var millis: Int64 { shift * 3_600_000 }

    func shown(at time: WallTime) -> Int64 {
      time.milliseconds + (time.milliseconds >= jump ? millis : 0)
    }

    func time(showing milliseconds: Int64) -> WallTime {
      // The first of two times; a time that the clock skips is as long after the jump.
      WallTime(
        milliseconds: milliseconds < jump || milliseconds - millis < jump
          ? milliseconds : milliseconds - millis)
    }
  }

  private static let hour: Int64 = 3_600_000
  private static let day = 24 * hour

  private func times(
    _ recurrence: Recurrence, from first: Int64, _ count: Int, in zone: Zone = Zone()
  ) -> [Int64] {
    var last = WallTime(milliseconds: first)
    return (0..<count).map { _ in
      last = recurrence.next(after: last, last: last, on: zone)
      return last.milliseconds
    }
  }

  @Test func `a clock that was ahead and is set right leaves no gap`() {
    let now = WallTime(milliseconds: 10 * Self.day)
    let wrong = WallTime(milliseconds: 4000 * Self.day)
    let hourly = Recurrence(every: .minutes(60))
    #expect(hourly.next(after: now, last: wrong, on: Zone()) == now + .minutes(60))
    let daily = Recurrence(every: .minutes(24 * 60), minuteOfDay: 180)
    #expect(
      daily.next(after: now, last: wrong, on: Zone()).milliseconds == 10 * Self.day + 3 * Self.hour)
    // A run that was started early does not shift the times.
    let soon = now + .minutes(59)
    #expect(hourly.next(after: now, last: soon, on: Zone()) == soon + .minutes(60))
  }

  @Test(arguments: [Int64.min, -1, 0, .max], [Int.min, -1, 0, 1_440, .max])
  func `times and rules that nobody ever wrote give a time to come`(_ last: Int64, _ minute: Int) {
    let now = WallTime(milliseconds: 20_000 * Self.day + 1)
    for every in [Interval.zero, .milliseconds(1), .days(1), Interval(nanoseconds: .max)] {
      for minuteOfDay in [nil, minute] {
        let rule = Recurrence(every: every, minuteOfDay: minuteOfDay)
        let next = rule.next(after: now, last: WallTime(milliseconds: last), on: Zone())
        #expect(next > now)
      }
    }
  }

  @Test func `every day at three stays at three`() {
    let daily = Recurrence(every: .minutes(24 * 60), minuteOfDay: 180)
    let first = 10 * Self.day + 3 * Self.hour
    #expect(times(daily, from: first, 2) == [first + Self.day, first + 2 * Self.day])
    // The clock is set forward by an hour before noon of the next day: 23 hours lie in between.
    let spring = Zone(jump: first + 9 * Self.hour, shift: 1)
    #expect(times(daily, from: first, 1, in: spring) == [first + Self.day - Self.hour])
    let autumn = Zone(jump: first + 9 * Self.hour, shift: -1)
    #expect(times(daily, from: first, 1, in: autumn) == [first + Self.day + Self.hour])
  }

  @Test func `a time that a night leaves out or has twice is met once`() {
    let daily = Recurrence(every: .minutes(24 * 60), minuteOfDay: 150)
    let first = 10 * Self.day + 2 * Self.hour + Self.hour / 2
    for shift in [-1, 1] as [Int64] {
      let zone = Zone(jump: first + Self.day - Self.hour / 2, shift: shift)
      let found = times(daily, from: first, 3, in: zone)
      #expect(Set(found).count == 3)
      #expect(abs(found[0] - first - Self.day) <= Self.hour)
      // Afterwards it is at half past two again.
      #expect(zone.shown(at: WallTime(milliseconds: found[1])) % Self.day == 150 * 60_000)
      #expect(zone.shown(at: WallTime(milliseconds: found[2])) % Self.day == 150 * 60_000)
    }
  }

  @Test func `what was missed is left out`() {
    let daily = Recurrence(every: .minutes(24 * 60), minuteOfDay: 180)
    let first = 10 * Self.day + 3 * Self.hour
    let late = WallTime(milliseconds: first + 5 * Self.day + Self.hour)
    let next = daily.next(after: late, last: WallTime(milliseconds: first), on: Zone())
    #expect(next.milliseconds == first + 6 * Self.day)
    let often = Recurrence(every: .minutes(7))
    let following = often.next(
      after: WallTime(milliseconds: 100 * 420_000 + 5), last: WallTime(milliseconds: 420_000),
      on: Zone())
    #expect(following.milliseconds == 101 * 420_000)
  }

  @Test func `every six hours keeps to the clock, every ten minutes to the minutes`() {
    let first = 10 * Self.day + 3 * Self.hour
    let zone = Zone(jump: first + Self.hour, shift: 1)
    let sixth = times(Recurrence(every: .minutes(360), minuteOfDay: 180), from: first, 4, in: zone)
    #expect(
      sixth.map { zone.shown(at: WallTime(milliseconds: $0)) / Self.hour % 24 } == [9, 15, 21, 3])
    let back = Zone(jump: first + Self.hour, shift: -1)
    let often = times(Recurrence(every: .minutes(10), minuteOfDay: 180), from: first, 20, in: back)
    #expect(zip(often, often.dropFirst()).allSatisfy { $1 - $0 == 600_000 })
  }

  @Test func `seven hours fit no day and are counted`() {
    let first = 10 * Self.day
    let times = times(Recurrence(every: .minutes(420), minuteOfDay: 0), from: first, 3)
    #expect(times == [7, 14, 21].map { first + $0 * Self.hour })
  }

  @Test func `every week comes on the same day`() {
    let first = 10 * Self.day + 3 * Self.hour
    let weekly = Recurrence(every: .minutes(7 * 24 * 60), minuteOfDay: 180)
    #expect(times(weekly, from: first, 2) == [first + 7 * Self.day, first + 14 * Self.day])
  }

  @Test func `the next time is always to come`() {
    for every in [60, 3_600, 7_200, 21_600, 43_200, 86_400, 172_800, 604_800] as [UInt64] {
      for shift in [-1, 0, 1] as [Int64] {
        let zone = Zone(jump: 10 * Self.day + 7 * Self.hour, shift: shift)
        var now = 9 * Self.day
        while now < 12 * Self.day {
          let rule = Recurrence(every: .seconds(every), minuteOfDay: 90)
          let time = WallTime(milliseconds: now)
          let next = rule.next(after: time, last: WallTime(milliseconds: 9 * Self.day), on: zone)
          #expect(next > time && next.milliseconds <= now + Int64(every) * 1000 + 2 * Self.hour)
          now += 1_234_567
        }
      }
    }
  }

  /// A day of 1970, which began on a Thursday, at three.
  private static func three(_ day: Int64) -> Int64 { (day - 1) * Self.day + 3 * hour }

  @Test(arguments: [
    // Thursday the 1st, Friday the 2nd, Monday the 5th.
    (CivilDays(weekdays: 0b001_1111), [2, 5, 6, 7, 8, 9, 12]),
    (CivilDays(monthDays: 1 | 1 << 14), [15, 32, 46]),
    (CivilDays(monthDays: 1 << 30), [31, 90, 151]),
    (CivilDays(monthDays: 1, months: 1 << 1 | 1 << 6), [32, 182, 397]),
    // As in a crontab, a day of either kind.
    (CivilDays(weekdays: 1, monthDays: 1 << 1), [2, 5, 12, 19, 26, 33]),
    (CivilDays(monthDays: 1 << 28, months: 1 << 1), [790, 2251]),
  ])
  func `it runs on the days that it names`(_ days: CivilDays, _ expected: [Int64]) {
    let rule = Recurrence(every: .days(1), minuteOfDay: 180, days: days)
    #expect(
      times(rule, from: Self.three(1), expected.count) == expected.map { Self.three($0) })
  }

  @Test func `a run that was started early is not repeated, and a clock set right is obeyed`() {
    let rule = Recurrence(every: .days(1), minuteOfDay: 180, days: CivilDays(monthDays: 1))
    let now = WallTime(milliseconds: Self.three(10))
    let due = WallTime(milliseconds: Self.three(32))
    #expect(rule.next(after: now, last: due, on: Zone()).milliseconds == Self.three(60))
    let wrong = WallTime(milliseconds: Self.three(4_000))
    #expect(rule.next(after: now, last: wrong, on: Zone()) == due)
  }

  @Test func `days that do not exist are no rule`() {
    #expect(!CivilDays(monthDays: 1 << 29, months: 1 << 1).exist)
    #expect(CivilDays(monthDays: 1 << 28, months: 1 << 1).exist)
  }
}
