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

  @Test(arguments: [("exit 0", 0), ("echo broken >&2; exit 7", 7)])
  func `output and exit code are those of a job of this machine`(
    _ script: String, _ code: Int32
  ) throws {
    let here = try workshop.jobrun(
      "run", "--", "sh", "-c", "echo out; \(script)", environment: environment)
    let there = try workshop.jobrun(
      "run", "--on", "grid", "--", "sh", "-c", "echo out; \(script)", environment: environment)
    #expect(here.status == code)
    #expect(there.status == code, "\(there.errors)")
    #expect(try workshop.jobrun("log", "2").output == workshop.jobrun("log", "1").output)
    let job = try workshop.show(2)
    #expect(job.engineJob == "1")
    #expect(try workshop.jobrun("history").output.contains("sh -c echo out"))
  }

  @Test func `what it asks for is what it gets, and what waits says so and can be cancelled`()
    throws
  {
    try workshop.defineGated("gated")
    for _ in 1...2 {
      _ = try workshop.submit(
        "gated", "--on", "grid", "--require", "cpu=4", environment: environment)
    }
    try workshop.awaitReady(1)
    #expect(try cell.call("qstat").contains("all.q@"))
    let feed = try workshop.start("attach", "2", "--json", environment: environment)
    _ = try feed.wait(for: "it waits there (qw)")
    #expect(try workshop.show(2).state == .queued)
    try workshop.jobrun("cancel", "2")
    #expect(try workshop.waitForEnd(2).outcome == .cancelled)
    try cell.awaitQueue("one in the queue") { $0.count == 1 }
    let opened = try workshop.openGate()
    #expect(try workshop.waitForEnd(1).outcome == .succeeded)
    #expect(!FileManager.default.fileExists(atPath: workshop.sandbox.path("ready.2")))
    withExtendedLifetime(opened) {}
  }

  @Test func `progress is shown, a stall is asked about, and the answer is carried out`() throws {
    try workshop.define(
      "counting",
      """
      "$JOBRUN_COMMAND" progress --completed 3 --total 10 --subtitle "of ten"
      echo x > "$READY.$JOBRUN_JOB"
      trap 'exit 0' TERM
      while :; do "$JOBRUN_COMMAND" progress --completed 3 --total 10; sleep 0.2; done
      """)
    _ = try workshop.submit(
      "counting", "--on", "grid", "--stall-after", "3s", environment: environment)
    let feed = try workshop.start("attach", "1", "--json", environment: environment)
    _ = try feed.wait(for: "\"completed\":3")
    _ = try feed.wait(for: "\"state\":\"stalled\"")
    #expect(try workshop.show(1).subtitle == "of ten")
    try workshop.jobrun("continue", "1", "--no")
    let job = try workshop.waitForEnd(1)
    #expect(job.outcome == .expired)
    #expect(try workshop.jobrun("wait", "1").status == 124)
  }

  @Test func `one that falls silent expires, and so does one at its limit`() throws {
    try workshop.define("silent", "echo x > \"$READY.$JOBRUN_JOB\"\nexec sleep 1000")
    _ = try workshop.submit(
      "silent", "--on", "grid", "--silent-after", "4s", environment: environment)
    _ = try workshop.submit(
      "silent", "--on", "grid", "--silent-after", "1h", "--limit", "3s", environment: environment)
    for number: UInt64 in [1, 2] {
      let job = try workshop.waitForEnd(number)
      #expect(job.outcome == .expired, "\(job)")
    }
    try cell.awaitQueue("an empty queue") { $0.isEmpty }
  }

  @Test func `a stop reaches the job within its grace, and a second one ends it`() throws {
    try workshop.define(
      "deaf", "trap '' TERM\necho x > \"$READY.$JOBRUN_JOB\"\nwhile :; do sleep 0.05; done")
    _ = try workshop.submit("deaf", "--on", "grid", "--grace", "1h", environment: environment)
    try workshop.awaitReady(1)
    try workshop.feed(until: "started", of: 1)
    try workshop.jobrun("cancel", "1")
    try workshop.jobrun("cancel", "1", "--now")
    #expect(try workshop.waitForEnd(1).outcome == .cancelled)
  }

  @Test func `what somebody deletes there while it runs is interrupted, and says so`() throws {
    try workshop.defineGated("gated")
    _ = try workshop.submit("gated", "--on", "grid", environment: environment)
    try workshop.awaitReady(1)
    try cell.call("qdel", "1")
    let job = try workshop.waitForEnd(1)
    #expect(job.outcome == .interrupted)
    #expect(
      job.stopReason?.message.contains("grid no longer runs it") == true,
      "\(job.stopReason?.message ?? "")")
    #expect(job.attempt == 1)
  }

  @Test(arguments: [
    (#", "partition": "nope""#, 69, "job requests unknown queue \"nope\""),
    (#", "options": ["-l", "nosuch=1"]"#, 69, "unknown resource \"nosuch\""),
  ])
  func `what it refuses is refused with its sentence`(
    _ more: String, _ code: Int32, _ sentence: String
  ) throws {
    try grid.configure(more)
    let refused = try workshop.jobrun(
      "run", "--on", "grid", "--", "sleep", "30", environment: environment)
    #expect(refused.status == code, "\(refused.errors)")
    #expect(refused.errors.contains(sentence), "\(refused.errors)")
  }

  @Test func `a list that never shows a job that waits is told, and the job is refused`() throws {
    try grid.configure(#", "row": "(?<id>x+) (?<state>y+)""#)
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
    try grid.configure(#", "memory": """#)
    let refused = try workshop.jobrun(
      "run", "--on", "grid", "--require", "memory=1G", "--", "true", environment: environment)
    #expect(refused.status == 69)
    #expect(refused.errors.contains("\"grid\" cannot be asked for memory"), "\(refused.errors)")
  }

  @Test func `while the master is away a job waits, and it runs when it is back`() throws {
    cell.killMaster()
    let feed = try workshop.start(
      "run", "--on", "grid", "--json", "--", "true", environment: environment)
    _ = try feed.wait(for: "unable to send message to qmaster")
    try cell.restartMaster()
    #expect(try feed.wait().status == 0)
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

  @Test func `runner, helper and master are killed at any time, and nothing is lost or run twice`()
    throws
  {
    let ran = workshop.sandbox.path("ran")
    try workshop.define(
      "short", "echo $JOBRUN_JOB >> '\(ran)'\nsleep 0.0$((JOBRUN_JOB % 7))\nexit 4")
    var random = SeededGenerator(seed: 17)
    let count = 18
    for number in 1...count {
      _ = try workshop.submit("short", "--on", "grid", environment: environment)
      guard number % 3 == 0 else { continue }
      // So that it is killed at another point each time.
      for _ in 0..<Int.random(in: 0...9, using: &random) { try workshop.jobrun("list") }
      let runner = try RestartTests.runner(workshop)
      let victims =
        number % 2 == 0 ? [runner] : SSHTests.children(of: runner, named: "jobrun-engine")
      for victim in victims { kill(victim, SIGKILL) }
      if number == 9 {
        cell.killMaster()
        try cell.restartMaster()
      }
    }
    try checkEnds(count, ran, environment)
  }

  @Test func `commands that fail after they succeeded, or write rubbish, lose nothing`() throws {
    let ran = workshop.sandbox.path("ran")
    // Each call fails in another way, in turns.
    let turn = #"n=$(cat "$0.turn" 2>/dev/null || echo 0); echo $((n + 1)) > "$0.turn""#
    var scripts: [String: String] = [:]
    for (name, lies) in [
      (
        "qsub",
        [
          "/usr/bin/qsub \"$@\"; echo 'got send timeout' >&2; exit 1",
          "echo 'error: unable to send message to qmaster: connection refused' >&2; exit 1",
          "/usr/bin/qsub \"$@\" > /dev/null; echo '<html>'",
        ]
      ),
      ("qstat", ["echo '<html>'", "exit 1", "/usr/bin/qstat \"$@\" | head -n 3"]),
    ] {
      let cases = lies.enumerated().map { "\($0.offset)) \($0.element);;" }.joined(separator: "\n")
      scripts[name] =
        "\(turn)\ncase $((n % 4)) in\n\(cases)\n*) exec /usr/bin/\(name) \"$@\";;\nesac"
    }
    let environment = try grid.environment(scripts)
    try workshop.define("short", "echo $JOBRUN_JOB >> '\(ran)'\nexit 4")
    let count = 6
    for _ in 1...count {
      _ = try workshop.submit("short", "--on", "grid", environment: environment)
    }
    try checkEnds(count, ran, environment)
  }

  private func checkEnds(_ count: Int, _ ran: String, _ environment: [String: String]) throws {
    for number in 1...count {
      let waited = try workshop.jobrun("wait", "\(number)", environment: environment)
      #expect(waited.status == 4, "job \(number): \(waited.errors)")
    }
    let lines = try String(contentsOfFile: ran, encoding: .utf8).split(separator: "\n")
    #expect(lines.sorted() == (1...count).map { Substring("\($0)") }.sorted())
  }
}
