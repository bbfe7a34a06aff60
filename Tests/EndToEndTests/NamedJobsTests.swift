import Foundation
import JobCore
import JobWire
import TestKit
import Testing

/// The jobs that commands without a job mean, and what they tell of jobs that wait for others.
@Suite struct NamedJobsTests {
  private let workshop: Workshop

  /// Job 1 runs, 2 waits for its success and 3 for that of 2, 4 for any end of 1, and 5 waits for a slot.
  init() throws {
    workshop = try Workshop(slots: 1)
    try workshop.defineGated("gated")
    _ = try workshop.submit("gated", "--group", "left")
    try workshop.awaitReady(1)
    try run("run", "--detach", "--after", "1", "--", "echo", "two")
    try run("run", "--detach", "--after", "2", "--", "echo", "three")
    try run("run", "--detach", "--after-any", "1", "--hold", "--", "true")
    try run("run", "--detach", "--hold", "--", "true")
  }

  @discardableResult
  private func run(_ arguments: String...) throws -> ChildProcess.Finished {
    let finished = try workshop.sandbox.run(
      "jobrun", arguments, environment: workshop.environment)
    #expect(finished.status == 0, "\(arguments): \(finished.errors)")
    return finished
  }

  @Test func `without a job what runs is meant before what waits`() throws {
    #expect(try Workshop.object(try run("show", "--json").output).number == JobNumber(1))
    try run("cancel", "1", "--now")
    #expect(try workshop.waitForEnd(1).outcome == .cancelled)
    // Two wait, and none runs: the latest.
    #expect(try Workshop.object(try run("show", "--json").output).number == JobNumber(5))
    try run("cancel", "5")
    #expect(try Workshop.object(try run("show", "--json").output).number == JobNumber(4))
  }

  @Test func `the outputs of what runs and of what starts meanwhile are followed`() throws {
    let script = "echo begin; read line < \"$GATE\""
    try run("run", "--detach", "--group", "middle", "--", "sh", "-c", script)
    for arguments in [["log", "-f"], ["log", "-f", "--json"]] {
      let log = try workshop.sandbox.start(
        "jobrun", arguments, environment: workshop.environment)
      defer { log.signal(9) }
      let isJSON = arguments.contains("--json")
      try log.wait(for: isJSON ? "\"text\":\"begin\"" : "\tbegin")
      // It may have ended before the jobs are listed again.
      try run("run", "-q", "--group", "right", "--", "echo", "short")
      try log.wait(for: isJSON ? "\"text\":\"short\"" : "\tshort")
    }
  }

  @Test func `a job tells who waits for it, and a cancel who is refused`() throws {
    #expect(try workshop.show(1).terms.awaitedBy == [JobNumber(2), JobNumber(4)])
    let facts = try run("show", "1").output.split(separator: "\n")
    #expect(facts.contains { $0.hasPrefix("awaited by ") && $0.hasSuffix(" 2, 4") })
    #expect(try workshop.show(3).terms.awaitedBy == [])
    let cancelled = try run("cancel", "1")
    #expect(
      cancelled.errors
        == "job 1 is stopping; jobs 2, 3, which wait for its success, are refused\n")
    #expect(try workshop.waitForEnd(3).outcome == .refused)
    #expect(try workshop.show(1).terms.awaitedBy == [])
    #expect(try run("cancel", "5").errors == "job 5 is cancelled\n")
  }

  @Test func `a list of named jobs has the ended ones, too`() throws {
    try run("cancel", "5")
    #expect(try run("list", "5,1", "--format", "number,state").output == "1\trunning\n5\tended\n")
    #expect(try run("list", "2-3", "--json").output.split(separator: "\n").count == 2)
    let rows = try run("list", "4-5", "1").output.split(separator: "\n")
    #expect(rows.count(where: { $0.contains("io.jobrun.run.") }) == 2)
    #expect(rows[0].contains("  group:left  "))
    let unknown = try workshop.jobrun("list", "1", "9")
    #expect(unknown.status == 66 && unknown.output.contains("group:left"))
    #expect(unknown.errors.contains("no job 9"))
  }
}
