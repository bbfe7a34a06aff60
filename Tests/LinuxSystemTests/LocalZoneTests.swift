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

  @Test func `summer time is counted, left out and repeated as the zone has it`() throws {
    let answers = try ZonedClock(zone: "Europe/Berlin").answers([
      // Three in the morning of the first of July 2026 is one o'clock in UTC.
      "time 1782874800000", "shown 1782867600000",
      // Half past two of 29 March does not exist.
      "time 1774751400000",
      // Half past two of 25 October comes twice.
      "time 1792895400000",
    ])
    try #require(answers.count == 4)
    #expect(answers[0] == 1_782_867_600_000)
    #expect(answers[1] == 1_782_874_800_000)
    #expect((1_774_744_200_000...1_774_747_800_000).contains(answers[2]))
    // The first of both is half past midnight in UTC.
    #expect(answers[3] == 1_792_888_200_000)
  }
}
