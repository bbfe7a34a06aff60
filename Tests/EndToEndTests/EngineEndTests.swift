import Foundation
import JobCore
import JobWire
import TestKit
import Testing

/// On every kind of engine a job begins once, and ends as it would here.
@Suite struct EngineEndTests {
  @Test(arguments: EngineKind.allCases)
  func `it begins once; output, exit code and use are those of a job of this machine`(
    _ kind: EngineKind
  ) throws {
    let engine = try kind.open()
    let workshop = engine.workshop
    let script = "echo x >> '\(engine.ran)'; echo out; echo broken >&2; exit 7"
    let here = try workshop.jobrun("run", "--", "sh", "-c", script, environment: engine.environment)
    let there = try workshop.jobrun("run", "--on", "red", "--", "sh", "-c", script)
    #expect(here.status == 7)
    #expect(there.status == 7, "\(there.errors)")
    #expect(try workshop.jobrun("log", "2").output == workshop.jobrun("log", "1").output)
    #expect(try String(contentsOfFile: engine.ran, encoding: .utf8) == "x\nx\n")
    let job = try workshop.show(2)
    #expect(job.outcome == .failed && job.attempt == 1)
    #expect(job.terms.engine == "red" && job.node != nil && job.engineJob != nil)
    // The supervisor counts them, so no engine's accounting is asked.
    #expect(job.use.cpuSeconds != nil && job.use.maxResidentBytes ?? 0 > 0)
    #expect(try workshop.jobrun("run", "--on", "blue", "--", "true").status == 0)
  }

  @Test(arguments: EngineKind.allCases)
  func `a stop reaches it within its grace, and a second one ends it`(_ kind: EngineKind) throws {
    let engine = try kind.open()
    let workshop = engine.workshop
    for trap in ["echo saved; exit 0", ""] {
      let script =
        "trap '\(trap)' TERM; echo $PPID > \"$READY.$JOBRUN_JOB\"; while :; do sleep 0.05; done"
      try workshop.jobrun(
        "run", "--detach", "--on", "red", "--grace", "1h", "--", "sh", "-c", script,
        environment: engine.environment)
    }
    for number: UInt64 in 1...2 {
      _ = try engine.awaitRunning(number)
      try workshop.jobrun("cancel", "\(number)")
    }
    #expect(try workshop.waitForEnd(1).outcome == .cancelled)
    // The shell tells of its sleep, which was ended, too.
    #expect(try workshop.jobrun("log", "1").output.hasSuffix("saved\n"))
    try workshop.jobrun("cancel", "2", "--now")
    #expect(try workshop.waitForEnd(2).outcome == .cancelled)
    try engine.awaitNothingLeft()
  }

  @Test(arguments: EngineKind.allCases)
  func `one that falls silent expires, and so does one at its limit`(_ kind: EngineKind) throws {
    let engine = try kind.open()
    try engine.workshop.define("silent", "exec sleep 1000")
    try engine.submit("silent", "--silent-after", "4s")
    try engine.submit("silent", "--silent-after", "1h", "--limit", "3s")
    // Whose end is awaited is looked at more often.
    let watchers = try [1, 2].map { try engine.workshop.start("attach", "\($0)", "--plain") }
    for (number, watcher) in zip([1, 2] as [UInt64], watchers) {
      #expect(try watcher.wait().status == 124)
      #expect(try engine.workshop.show(number).outcome == .expired)
    }
    try engine.awaitNothingLeft()
  }

  @Test(arguments: EngineKind.allCases)
  func `progress is shown, a stall is asked about, and the answer is carried out`(
    _ kind: EngineKind
  ) throws {
    let engine = try kind.open()
    let workshop = engine.workshop
    try workshop.define(
      "counting",
      """
      trap 'exit 0' TERM
      while :; do
        "$JOBRUN_COMMAND" progress --completed 3 --total 10 --subtitle "of ten"
        sleep 0.2
      done
      """)
    try engine.submit("counting", "--stall-after", "3s")
    let feed = try workshop.start("attach", "1", "--json", environment: engine.environment)
    _ = try feed.wait(for: "\"completed\":3")
    _ = try feed.wait(for: "\"state\":\"stalled\"")
    #expect(try workshop.show(1).subtitle == "of ten")
    try workshop.jobrun("continue", "1", "--no")
    #expect(try workshop.waitForEnd(1).outcome == .expired)
    #expect(try workshop.jobrun("wait", "1").status == 124)
  }
}
