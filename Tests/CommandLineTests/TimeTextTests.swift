import JobCore
import JobWire
import TestKit
import Testing

@testable import jobrun

/// Times ahead as people type them.
struct TimeTextTests {
  private static let now = Sample.now.wall

  private func parsed(_ text: String) throws(WireError) -> Int64 {
    try TimeText.parse(text, now: Self.now, flag: .earliest).milliseconds - Self.now.milliseconds
  }

  @Test(
    arguments: [
      ("+2h", 7_200_000), ("+0s", 0), ("+1d12h", 129_600_000), ("+1500ms", 1_500),
      ("1970-01-12T13:48:20Z", 0), ("1970-01-12T13:48:20.5Z", 500),
      ("1970-01-12T14:48:20+01:00", 0), ("1970-01-12T08:18:20-05:30", 0),
      // A time that is past has come.
      ("1970-01-01T00:00:00Z", -1_000_100_000),
    ] as [(String, Int64)])
  func `a time from now is`(text: String, after: Int64) throws {
    #expect(try parsed(text) == after)
  }

  @Test(
    arguments: [
      ("1971-02-01T08:00:30", "1971-02-01 08:00", 30_000),
      ("1971-02-01 08:00:00", "1971-02-01 08:00", 0),
      ("1971-02-01T08:00Z", "1971-02-01T08:00:00Z", 0),
      ("1971-02-01T08:00+01:00", "1971-02-01T07:00:00Z", 0),
    ] as [(String, String, Int64)])
  func `seconds and a zone may be left out`(text: String, same: String, later: Int64) throws {
    #expect(try parsed(text) == parsed(same) + later)
  }

  @Test func `a reading of the clock is the next time that it shows it`() throws {
    for text in ["0:00", "03:00", "13:48", "23:59"] {
      let after = try parsed(text)
      #expect(after > 0)
      // Twenty-five hours, where summer time ends that day.
      #expect(after <= 25 * 3_600_000)
      #expect((Self.now.milliseconds + after) % 60_000 == 0)
    }
  }

  @Test(arguments: [
    "", "soon", "24:00", "12:60", "1:2", "12:3x", ":30", "+", "+2", "+-2h", "2h",
    "2026-03-01T03:00:00+1:00", "2026-03-01T3:00:00", "2026-03-01T03:00:61", "2026-02-30T08:00:00",
    "2026-03-01T03:00X", "tomorow", "monday 25:00", "2026-02-30 08:00",
  ])
  func `what is no time is refused with what would be one`(text: String) {
    let error = #expect(throws: WireError.self) { try parsed(text) }
    #expect(error?.code == .usage)
    #expect(error?.message.hasPrefix("--earliest") == true)
  }

  @Test(arguments: [
    "tomorrow", "tomorrow 8:00", "monday", "Monday 9:00", "fri 23:59", "1971-02-01 08:00",
    "1971-02-01T08:00", "1971-02-01",
  ])
  func `a day to come is that, with its time or from its start`(text: String) throws {
    let time = try parsed(text)
    #expect(time > 0)
    #expect((Self.now.milliseconds + time) % 60_000 == 0)
    if text.first?.isLetter == true { #expect(time <= 7 * 25 * 3_600_000) }
  }

  @Test func `a flag that makes no sense starts no runner`() throws {
    let sandbox = try Sandbox()
    let finished = try sandbox.run("jobrun", ["run", "--not-before", "soon", "--", "true"])
    #expect(finished.status == 64)
    #expect(
      finished.errors.hasPrefix("jobrun: --not-before is \"soon\", which is not a time; write"))
    #expect(sandbox.processes.isEmpty)
  }
}
