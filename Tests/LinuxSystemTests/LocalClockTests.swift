import Testing

/// The next time that the clock on the wall shows something, on the days when it is changed.
@Suite struct LocalClockTests {
  /// When it next shows `hour:minute`, after each of `seconds` from `origin`, in seconds from there.
  private func next(
    _ hour: Int, _ minute: Int, in zone: String, from origin: Int64, after seconds: [Int64]
  ) throws -> [Int64] {
    try ZonedClock(zone: zone).answers(
      seconds.map { "next \(hour) \(minute) \(origin + $0 * 1000)" }
    ).map { ($0 - origin) / 1000 }
  }

  @Test func `New York 01:30 comes twice where the clock is put back`() throws {
    // 2026-11-01: 01:00 EDT is 05:00 UTC; the clock is put back at 06:00 UTC.
    let times = try next(
      1, 30, in: "EST5EDT,M3.2.0,M11.1.0", from: 1_793_509_200_000, after: [0, 1800, 3700, 5400])
    #expect(times == [1800, 5400, 5400, 5400 + 86_400])
  }

  @Test func `Berlin 02:30 is the moment of the change where the clock is put forward`() throws {
    let berlin = "CET-1CEST,M3.5.0,M10.5.0/3"
    // 2026-03-29: 02:00 CET is 01:00 UTC, and 03:00 CEST at once.
    let change: Int64 = 1_774_746_000_000
    #expect(
      try next(2, 30, in: berlin, from: change, after: [-3600, 0]) == [0, 86_400 - 1800])
    #expect(try next(3, 0, in: berlin, from: change, after: [-3600]) == [0])
    #expect(try next(1, 59, in: berlin, from: change, after: [-3600]) == [-60])
  }

  @Test(arguments: [(0, 1), (7, 5), (12, 0), (23, 59)])
  func `an ordinary day has every time once`(hour: Int, minute: Int) throws {
    let wanted = Int64(hour * 3600 + minute * 60)
    let times = try next(
      hour, minute, in: "UTC0", from: 1_784_505_600_000, after: [0, wanted])
    #expect(times == [wanted, wanted + 86_400])
  }
}
