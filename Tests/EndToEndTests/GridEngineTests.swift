import Foundation
import Glibc
import JobCore
import JobWire
import TestKit
import Testing

/// An engine of kind `batch`, on a real Grid Engine of the test's own.
@Suite(.needsGridEngine)
struct GridEngineTests {
  private let grid: GridEngineWorkshop

  init() throws { grid = try GridEngineWorkshop() }

  private var workshop: Workshop { grid.workshop }
  private var cell: GridEngineCell { grid.cell }
  private var environment: [String: String] { grid.environment }

  @Test(arguments: [
    (#", "partition": "nope""#, 69, "job requests unknown queue \"nope\""),
    (#", "options": ["-l", "nosuch=1"]"#, 69, "unknown resource \"nosuch\""),
  ])
  func `what it refuses is refused with its sentence`(
    _ more: String, _ code: Int32, _ sentence: String
  ) throws {
    try grid.configure(["grid"], more)
    let refused = try workshop.jobrun(
      "run", "--on", "grid", "--", "sleep", "30", environment: environment)
    #expect(refused.status == code, "\(refused.errors)")
    #expect(refused.errors.contains(sentence), "\(refused.errors)")
  }

  @Test func `a list that never shows a job that waits is told, and the job is refused`() throws {
    try grid.configure(["grid"], #", "row": "(?<id>x+) (?<state>y+)""#)
    let held = try grid.environment(["qsub": "exec /usr/bin/qsub -h \"$@\""])
    let refused = try workshop.jobrun("run", "--on", "grid", "--", "true", environment: held)
    #expect(refused.status == 69, "\(refused.errors)")
    #expect(
      refused.errors.contains("does \"row\" match the lines of \"list\"?"), "\(refused.errors)")
  }

  @Test func `a check shows each step and leaves no job, and the queue is shown as it is`() throws {
    let check = try workshop.jobrun("engines", "check", "grid", environment: environment)
    #expect(check.status == 0, "\(check.errors)")
    for step in [
      "✓ reachable", "can require      cpu, memory, gpu", "accepts a job", "its end is told",
    ] {
      #expect(check.output.contains(step), "\(check.output)")
    }
    #expect(try workshop.jobrun("list", "--all").output == "")
    _ = try workshop.jobrun(
      "run", "--detach", "--on", "grid", "--", "sleep", "1000", environment: environment)
    try cell.awaitQueue("one in the queue") { $0.count == 1 }
    let queue = try workshop.jobrun("engines", "queue", "grid", environment: environment)
    #expect(queue.output.contains("jobrun.2.1"), "\(queue)")
    try workshop.jobrun("cancel", "--all", "--now", environment: environment)
  }

  @Test func `one job can have a queue and options of its own`() throws {
    let refused = try workshop.jobrun(
      "run", "--on", "grid", "--partition", "nope", "--", "true", environment: environment)
    #expect(refused.status == 69)
    #expect(refused.errors.contains("job requests unknown queue \"nope\""), "\(refused.errors)")
    let ran = try workshop.jobrun(
      "run", "--on", "grid", "--partition", "all.q", "--engine-option=-ac", "--engine-option=A=1",
      "--", "true", environment: environment)
    #expect(ran.status == 0, "\(ran.errors)")
  }

  @Test func `what has no template is refused`() throws {
    try grid.configure(["grid"], #", "memory": """#)
    let refused = try workshop.jobrun(
      "run", "--on", "grid", "--require", "memory=1G", "--", "true", environment: environment)
    #expect(refused.status == 69)
    #expect(refused.errors.contains("\"grid\" cannot be asked for memory"), "\(refused.errors)")
  }

  @Test func `a waiting job that is missing after an outage is made again`() throws {
    let away = workshop.sandbox.path("away")
    let environment = try grid.environment([
      "qstat":
        "[ -e '\(away)' ] && { echo unreachable >&2; exit 1; }\nexec /usr/bin/qstat \"$@\"",
      // The first job waits until it is deleted.
      "qsub":
        "[ -e '\(away).first' ] || { : > '\(away).first'; exec /usr/bin/qsub -h \"$@\"; }\nexec /usr/bin/qsub \"$@\"",
    ])
    let run = try workshop.start(
      "run", "--on", "grid", "--json", "--", "true", environment: environment)
    _ = try run.wait(for: "it waits there (hqw)")
    try Data().write(to: URL(fileURLWithPath: away))
    _ = try run.wait(for: "unreachable")
    try cell.call("qdel", try #require(try workshop.show(1).engineJob))
    try FileManager.default.removeItem(atPath: away)
    #expect(try run.wait().status == 0)
    #expect(try workshop.show(1).attempt == 2)
  }

  @Test func `a job that has a node and does not begin says so`() throws {
    cell.stopNode()
    let run = try workshop.start(
      "run", "--on", "grid", "--json", "--", "true", environment: environment)
    _ = try run.wait(for: "it has a node there (t) and has not begun yet")
    cell.continueNode()
    #expect(try run.wait().status == 0)
    #expect(try workshop.show(1).attempt == 1)
  }

  @Test func `a state that nobody knows leaves the job as it was`() throws {
    try workshop.defineGated("gated")
    let environment = try grid.environment(
      ["qstat": "exec /usr/bin/qstat \"$@\" | sed 's/ r  / zz /'"])
    _ = try workshop.submit("gated", "--on", "grid", environment: environment)
    try workshop.awaitReady(1)
    try workshop.feed(until: "started", of: 1)
    try WaitFor.change(
      at: workshop.sandbox.home + "/state/runner.log", awaited: "the note",
      within: Deadline.timeout
    ) {
      let log = try? String(
        contentsOfFile: workshop.sandbox.home + "/state/runner.log", encoding: .utf8)
      return log?.contains("job 1 stays as it was: its state there is zz") == true ? true : nil
    }
    #expect(try workshop.show(1).state == .running)
    let opened = try workshop.openGate()
    #expect(try workshop.waitForEnd(1).outcome == .succeeded)
    withExtendedLifetime(opened) {}
  }
}
