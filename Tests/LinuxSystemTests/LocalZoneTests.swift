import Glibc
import LinuxSystem
import Testing

/// The clock on the wall in the nights in which it is set, by the system's own tables.
@Suite struct LocalZoneTests {
  @Test func `what is shown leads back to the time`() {
    for milliseconds in [0, 1_774_746_000_000, 1_792_976_400_123, -1_500] as [Int64] {
      let back = LocalClock.time(showing: LocalClock.shown(milliseconds))
      // An hour that comes twice leads back to the first of both.
      #expect(back == milliseconds || milliseconds - back == 3_600_000)
    }
  }

  // In a process of its own, as the time zone belongs to the whole process.
  @Test func `summer time is counted, left out and repeated as the zone has it`() async {
    await #expect(processExitsWith: .success) {
      guard unsafe setenv("TZ", "Europe/Berlin", 1) == 0 else { exit(1) }
      // Three in the morning of the first of July 2026 is one o'clock in UTC.
      guard LocalClock.time(showing: 1_782_874_800_000) == 1_782_867_600_000 else { exit(2) }
      guard LocalClock.shown(1_782_867_600_000) == 1_782_874_800_000 else { exit(3) }
      // Half past two of 29 March does not exist: a time nearby.
      let spring = LocalClock.time(showing: 1_774_751_400_000)
      guard (1_774_744_200_000...1_774_747_800_000).contains(spring) else { exit(4) }
      // Half past two of 25 October comes twice: the first is half past midnight in UTC.
      guard LocalClock.time(showing: 1_792_895_400_000) == 1_792_888_200_000 else { exit(5) }
    }
  }
}
