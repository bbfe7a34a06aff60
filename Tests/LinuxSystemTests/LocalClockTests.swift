import Glibc
import LinuxSystem
import Testing

/// The next time that the clock on the wall shows something, on the days when it is changed.
///
/// Each in a process of its own, as the time zone belongs to the whole process. The zones are given by
/// their rules, as not every machine has the files of all zones.
@Suite struct LocalClockTests {
  @Test func `New York 01:30 comes twice where the clock is put back`() async {
    await #expect(processExitsWith: .success) {
      guard unsafe setenv("TZ", "EST5EDT,M3.2.0,M11.1.0", 1) == 0 else { exit(1) }
      tzset()
      // 2026-11-01: 01:00 EDT is 05:00 UTC; the clock is put back at 06:00 UTC.
      let one: Int64 = 1_793_509_200_000
      func next(after seconds: Int64) -> Int64 {
        (LocalClock.next(hour: 1, minute: 30, after: one + seconds * 1000) - one) / 1000
      }
      guard next(after: 0) == 1800 else { exit(2) }
      guard next(after: 1800) == 5400 else { exit(3) }
      guard next(after: 3700) == 5400 else { exit(4) }
      guard next(after: 5400) == 5400 + 86_400 else { exit(5) }
    }
  }

  @Test func `Berlin 02:30 is the moment of the change where the clock is put forward`() async {
    await #expect(processExitsWith: .success) {
      guard unsafe setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1) == 0 else { exit(1) }
      tzset()
      // 2026-03-29: 02:00 CET is 01:00 UTC, and 03:00 CEST at once.
      let change: Int64 = 1_774_746_000_000
      func next(_ hour: Int, _ minute: Int, after seconds: Int64) -> Int64 {
        (LocalClock.next(hour: hour, minute: minute, after: change + seconds * 1000) - change)
          / 1000
      }
      guard next(2, 30, after: -3600) == 0 else { exit(2) }
      guard next(2, 30, after: 0) == 86_400 - 1800 else { exit(3) }
      guard next(3, 0, after: -3600) == 0 else { exit(4) }
      guard next(1, 59, after: -3600) == -60 else { exit(5) }
    }
  }

  @Test func `an ordinary day has every time once`() async {
    await #expect(processExitsWith: .success) {
      guard unsafe setenv("TZ", "UTC0", 1) == 0 else { exit(1) }
      tzset()
      let midnight: Int64 = 1_784_505_600_000
      for (hour, minute) in [(0, 1), (7, 5), (12, 0), (23, 59)] {
        let wanted = midnight + Int64(hour * 3600 + minute * 60) * 1000
        let first = LocalClock.next(hour: hour, minute: minute, after: midnight)
        let second = LocalClock.next(hour: hour, minute: minute, after: wanted)
        guard first == wanted, second == wanted + 86_400_000 else { exit(2) }
      }
    }
  }
}
