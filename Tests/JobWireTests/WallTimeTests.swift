import JobCore
import JobWire
import TestKit
import Testing

@Suite struct WallTimeTests {
  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
      (951_782_400_000, "2000-02-29T00:00:00.000Z"), (951_868_800_000, "2000-03-01T00:00:00.000Z"),
      (1_772_368_496_789, "2026-03-01T12:34:56.789Z"),
      (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
      (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
      (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
      (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
    ] as [(Int64, String)])
  func `known times are written and read`(milliseconds: Int64, text: String) {
    #expect(WallTime(milliseconds: milliseconds).text == text)
    #expect(WallTime(text)?.milliseconds == milliseconds)
  }

  @Test func `times that the format cannot say are held at its ends`() {
    #expect(WallTime(milliseconds: .max).text == "9999-12-31T23:59:59.999Z")
    #expect(WallTime(milliseconds: .min).text == "0000-01-01T00:00:00.000Z")
  }

  @Test func `every day of four centuries follows the one before`() throws {
    var expected = (year: 1900, month: 1, day: 1)
    let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    let start = try #require(WallTime("1900-01-01T00:00:00Z")).milliseconds
    for day in 0..<146_097 as Range<Int64> {
      let shown = WallTime(milliseconds: start + day * 86_400_000).text
      let wanted = "\(expected.year)-\(padded(expected.month))-\(padded(expected.day))T"
      guard shown.hasPrefix(wanted) else {
        Issue.record("\(shown) where \(wanted) was expected")
        return
      }
      let isLeap =
        expected.year % 4 == 0 && (expected.year % 100 != 0 || expected.year % 400 == 0)
      let length = lengths[expected.month - 1] + (expected.month == 2 && isLeap ? 1 : 0)
      expected.day += 1
      if expected.day > length { expected = (expected.year, expected.month + 1, 1) }
      if expected.month > 12 { expected = (expected.year + 1, 1, 1) }
    }
    #expect(expected == (2300, 1, 1))
  }

  @Test func `random times come back`() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<2000 {
      let time = WallTime(
        milliseconds: .random(in: -62_167_219_200_000...253_402_300_799_999, using: &random))
      #expect(WallTime(time.text) == time)
    }
  }

  @Test(
    arguments: [
      ("2026-03-01T12:34:56Z", 1_772_368_496_000), ("2026-03-01T12:34:56.7Z", 1_772_368_496_700),
      ("2026-03-01T12:34:56.789999Z", 1_772_368_496_789),
    ] as [(String, Int64)])
  func `other decimals of the second are read`(text: String, milliseconds: Int64) {
    #expect(WallTime(text)?.milliseconds == milliseconds)
  }

  @Test(arguments: [
    "", "2026-03-01", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z",
    "2026-01-00T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z",
    "2026-01-01T00:00:60Z", "2026-01-01T00:00:00+01:00", "2026-01-01 00:00:00Z",
    "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00.1x3Z", "2026-01-01T00:00:00,5Z",
    "20x6-01-01T00:00:00Z", "+026-01-01T00:00:00Z",
  ])
  func `what is no time is refused`(text: String) {
    #expect(WallTime(text) == nil)
  }

  private func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
