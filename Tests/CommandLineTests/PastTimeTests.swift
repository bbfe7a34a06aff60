import JobCore
import JobWire
import LinuxSystem
import TestKit
import Testing

@testable import jobrun

/// Times in the past as people type them, and instants as people see them.
struct PastTimeTests {
  /// A Saturday, in the time zone of the test.
  private static let now = WallTime(
    milliseconds: LocalClock.milliseconds(year: 2026, month: 3, day: 14, hour: 14, minute: 2))

  private func at(_ day: Int, _ hour: Int = 0, _ minute: Int = 0, month: Int = 3) -> WallTime {
    WallTime(
      milliseconds: LocalClock.milliseconds(
        year: 2026, month: month, day: day, hour: hour, minute: minute))
  }

  private func parsed(_ text: String, _ edge: PastTime.Edge) throws -> WallTime {
    try PastTime.parse(text, edge, now: Self.now, flag: .historySince)
  }

  @Test func `a day is meant as a whole`() throws {
    #expect(try parsed("today", .start) == at(14))
    #expect(try parsed("yesterday", .start) == at(13))
    #expect(try parsed("yesterday", .end) == at(14))
    #expect(try parsed("Monday", .start) == at(9))
    #expect(try parsed("mon", .end) == at(10))
    #expect(try parsed("saturday", .start) == at(14))
    #expect(try parsed("sunday", .start) == at(8))
    #expect(try parsed("2026-02-28", .end) == at(1))
    #expect(try parsed("2026-03-01", .start) == at(1))
  }

  @Test func `a clock, a day with a clock, a length and an instant mean a moment`() throws {
    for edge in [PastTime.Edge.start, .end] {
      #expect(try parsed("14:00", edge) == at(14, 14))
      #expect(try parsed("14:03", edge) == at(13, 14, 3))
      #expect(try parsed("monday 9:00", edge) == at(9, 9))
      #expect(try parsed("2026-03-01 09:30", edge) == at(1, 9, 30))
      #expect(try parsed("2026-03-01T09:30", edge) == at(1, 9, 30))
      #expect(try parsed("now", edge) == Self.now)
      for text in ["2h", "2h ago"] {
        #expect(try parsed(text, edge).milliseconds == Self.now.milliseconds - 7_200_000)
      }
      #expect(try parsed("2026-03-01T12:00:00Z", edge) == WallTime("2026-03-01T12:00:00Z"))
      #expect(try parsed("2026-03-01T12:00:00+01:00", edge) == WallTime("2026-03-01T11:00:00Z"))
    }
  }

  @Test(arguments: [
    "", "tomorrow", "mo", "2026-02-30", "2026-13-01", "2026-03", "24:00", "monday 25:00", "+2h",
    "next monday", "yesterday yesterday", "-1", "2026-03-01T", "day",
  ])
  func `what is none is refused with what would be one`(text: String) {
    let error = #expect(throws: WireError.self) { try parsed(text, .start) }
    #expect(error?.code == .usage)
    #expect(error?.message.hasPrefix("--since is \(text.quoted), which") == true)
  }

  @Test func `what was is shown by weekday, then by date, then by year`() {
    func shown(_ time: WallTime) -> String { ShownTime.past(time, now: Self.now) }
    #expect(shown(at(14, 14, 2)) == "Sat 14:02")
    #expect(shown(at(8, 0, 0)) == "Sun 00:00")
    #expect(shown(at(7, 23, 59)) == "7 Mar 23:59")
    #expect(shown(at(2, 3, 4, month: 1)) == "2 Jan 03:04")
    #expect(shown(at(31, 3, 4, month: -9)) == "31 Mar 2025")
    #expect(shown(at(15)) == "15 Mar 00:00")
  }

  @Test func `what comes is shown by clock, then by weekday, then by date`() {
    func shown(_ time: WallTime) -> String { ShownTime.ahead(time, now: Self.now) }
    #expect(shown(at(14, 22, 30)) == "22:30")
    #expect(shown(at(15, 3)) == "Sun 03:00")
    #expect(shown(at(20, 3)) == "Fri 03:00")
    #expect(shown(at(21, 3)) == "21 Mar 03:00")
    #expect(shown(at(1, 3, month: 13)) == "1 Jan 2027 03:00")
    #expect(ShownTime.whole(at(14, 14, 2)) == "Sat 14 Mar 2026 14:02:00")
  }

  @Test func `people read their own clock, and programs UTC`() throws {
    let sandbox = try Sandbox()
    let fake = try FakeRunner(in: sandbox)
    func output(_ arguments: [String]) throws -> String {
      let zone = ["TZ": "JOB-05:30"]
      let program = try sandbox.start("jobrun", arguments, environment: zone)
      let visitor = try fake.visitor()
      let request = try visitor.request()
      var job = Sample.ended(.succeeded)
      job.started = WallTime("2001-02-03T22:00:00Z")
      job.ended = WallTime("2001-02-03T22:00:05Z")
      try visitor.tell(job: job, of: request.id)
      try visitor.answer(request.id, .count(1))
      if arguments == ["history"] { try visitor.answer(visitor.request().id, .totals([])) }
      return try program.wait().output
    }
    #expect(try output(["history"]).contains("  4 Feb 2001  5.0 s"))
    let json = try output(["history", "--json"])
    #expect(json.contains(#""ended":"2001-02-03T22:00:05.000Z""#))
    #expect(try output(["history", "--format", "ended"]) == "2001-02-03T22:00:05.000Z\n")
  }
}
