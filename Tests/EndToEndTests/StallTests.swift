import Foundation
import JobCore
import JobWire
import TestKit
import Testing

/// Stalled, silent and out of time: three different questions.
@Suite struct StallTests {
  /// Reports without advancing until `$GO` exists, then finishes.
  static let stalling = """
    jobrun progress --total 10 --completed 1
    while [ ! -e "$GO" ]; do jobrun progress; sleep 0.05; done
    jobrun progress --completed 10
    """

  static func workshop() throws -> (Workshop, [String: String]) {
    let workshop = try Workshop()
    try workshop.define(
      "stalling", stalling, ", \"stallAfter\": \"300ms\", \"grace\": \"200ms\"")
    return (workshop, ["GO": workshop.sandbox.path("go")])
  }

  @Test func `a job that reports without advancing asks, and yes lets it go on`() throws {
    let (workshop, environment) = try Self.workshop()
    _ = try workshop.submit("stalling", environment: environment)
    try workshop.feed(until: "prompt", of: 1)
    let asking = try workshop.show(1)
    #expect(asking.state == .stalled)
    #expect(asking.prompt != nil)
    #expect(try workshop.jobrun("continue", "1").status == 0)
    // The value at that time: by now a slow machine may have asked again.
    let told = try workshop.feed(until: "answered", of: 1)
    let answered = try #require(
      told.split(separator: "\n").first { $0.contains("\"event\":\"answered\"") })
    #expect(answered.contains("\"prompt\":null"), "\(answered)")
    try workshop.sandbox.write("", to: "go")
    #expect(try workshop.waitForEnd(1).outcome == .succeeded)
  }

  @Test func `no expires a stalled job`() throws {
    let (workshop, environment) = try Self.workshop()
    _ = try workshop.submit("stalling", environment: environment)
    try workshop.feed(until: "prompt", of: 1)
    #expect(try workshop.jobrun("continue", "1", "--no").status == 0)
    #expect(try workshop.jobrun("wait", "1").status == 124)
    let job = try workshop.show(1)
    #expect(job.outcome == .expired)
    #expect(job.stopReason?.code == .stallDeclined)
    #expect(workshop.strays() == [])
  }

  @Test func `an attached terminal asks inline, and y answers`() throws {
    let (workshop, _) = try Self.workshop()
    let terminal = try Pseudoterminal(columns: 100)
    let go = workshop.sandbox.path("go")
    let command = try workshop.sandbox.start(
      "jobrun", ["submit", "stalling"], on: terminal, environment: ["GO": go])
    try terminal.read(until: "[y/n]")
    try terminal.send("y")
    try workshop.feed(until: "answered", of: 1)
    try workshop.sandbox.write("", to: "go")
    #expect(try command.wait().status == 0)
  }

  @Test func `a silent job is warned of, then expired with its whole tree`() throws {
    let workshop = try Workshop()
    try workshop.define(
      "silent", "jobrun progress --total 10 --completed 1\nsetsid sleep 1000 & sleep 1000",
      ", \"silentAfter\": \"900ms\", \"grace\": \"200ms\"")
    let finished = try workshop.jobrun("submit", "silent")
    #expect(finished.status == 124)
    let job = try workshop.show(1)
    #expect(job.outcome == .expired)
    #expect(job.stopReason?.code == .silent)
    #expect(workshop.strays() == [])
    let told = try workshop.feed(until: "ended", of: 1)
    #expect(told.contains("\"event\":\"warned\""))
  }

  @Test func `a limit ends a job that works on and on`() throws {
    let (workshop, environment) = try Self.workshop()
    let finished = try workshop.jobrun(
      "submit", "stalling", "--limit", "500ms", "--on-stall", "continue",
      environment: environment)
    #expect(finished.status == 124)
    #expect(try workshop.show(1).stopReason?.code == .limit)
  }

  @Test func `an unattended stall can be told to stop`() throws {
    let (workshop, environment) = try Self.workshop()
    let finished = try workshop.jobrun(
      "submit", "stalling", "--on-stall", "stop", environment: environment)
    #expect(finished.status == 124)
    #expect(try workshop.show(1).stopReason?.code == .stallDeclined)
  }
}
