import Foundation
import JobCore
import JobWire
import TestKit
import Testing

/// One command for many inputs, and a job after all of them, as in scripts.
@Suite struct MapMergeTests {
  private let workshop: Workshop

  init() throws {
    workshop = try Workshop()
  }

  @Test
  func `what comes after a group waits for all of it, and a redo of what failed lets it go on`()
    throws
  {
    let script = "test $0 != 2 || test -e \(workshop.sandbox.path("mended"))"
    try workshop.jobrun("runner", "pause")
    let map = try workshop.jobrun(
      "each", "--detach", "--id", "--group", "map", "--", "sh", "-c", script, ":::", "1", "2", "3")
    #expect(map.output == "1-3\n")
    let merge = try workshop.jobrun("run", "--detach", "--id", "--after", "1-3", "--", "true")
    #expect(merge.output == "4\n")
    try workshop.jobrun("runner", "resume")
    #expect(try workshop.waitForEnd(4).outcome == .refused)
    #expect(try workshop.show(4).terms.after == [1, 2, 3].map { JobNumber($0) })
    try workshop.sandbox.write("", to: "mended")
    let redone = try workshop.jobrun("redo", "2", "--with-dependents")
    #expect(redone.status == 0, "\(redone.errors)")
    #expect(try workshop.waitForEnd(4).outcome == .succeeded)
    let late = try workshop.jobrun("run", "--after", "group:map", "--", "true")
    #expect(late.status == 0, "\(late.errors)")
  }

  @Test func `a batch that is resumed leaves out what has succeeded, and takes new inputs`() throws
  {
    let script = "test $0 != b || test -e mended"
    func each(_ inputs: String...) throws -> ChildProcess.Finished {
      try workshop.sandbox.run(
        "jobrun", ["each", "--resume", "--detach", "--", "sh", "-c", script, ":::"] + inputs)
    }
    #expect(try each("a", "b").output == "jobs 1–2\n")
    try workshop.jobrun("wait", "1-2")
    #expect(try each("a", "b", "c").output == "jobs 3–4\n")
    try workshop.jobrun("wait", "3-4")
    #expect(try each("a", "c").errors.contains("all 2 jobs wait, run or have succeeded"))
  }

  @Test func `no inputs are a success, unless some are required`() throws {
    let none = try workshop.jobrun("each", "--", "echo", ":::")
    #expect(none.status == 0 && none.errors.contains("no inputs"))
    #expect(try workshop.jobrun("each", "--require-input", "--", "echo", ":::").status == 64)
    let dry = try workshop.jobrun("each", "--dry-run", "--", "echo", "{/.}", ":::", "a/b c.d")
    #expect(dry.output == "echo 'b c'\n")
  }

  @Test func `a batch with slots of its own runs so many, each in a slot with a number`() throws {
    let finished = try workshop.jobrun(
      "each", "--slots", "1", "--", "sh", "-c", "echo $0 $JOBRUN_SLOT {%} $JOBRUN_GROUP", ":::",
      "a", "b")
    #expect(finished.status == 0, "\(finished.errors)")
    let log = try workshop.jobrun("log", "1-2", "--tag").output
    #expect(log.hasPrefix("1\ta 1 1 each-"), "\(log)")
    #expect(log.contains("\n2\tb 1 1 each-"), "\(log)")
    #expect(
      try workshop.jobrun("log", "1-2", "--no-heading", "--first", "1").output.hasPrefix("a 1"))
  }

  @Test func `a paused group stays so for the next runner, and a job can be started beside it`()
    throws
  {
    #expect(
      try workshop.jobrun("group", "render", "--pause").output
        == "render: 2 slots, 0 running, 0 waiting, paused\n")
    try workshop.jobrun("run", "--detach", "--group", "render", "--", "true")
    try workshop.jobrun("run", "--detach", "--group", "render", "--", "true")
    try RecoveryTests.crash(workshop)
    #expect(try workshop.show(1).pendingReason?.code == .paused)
    #expect(try workshop.jobrun("start", "2").errors == "job 2 starts now, beyond the slots\n")
    #expect(try workshop.waitForEnd(2).outcome == .succeeded)
    #expect(
      try workshop.jobrun("group").output.contains("render: 2 slots, 0 running, 1 waiting, paused"))
    try workshop.jobrun("resume", "group:render")
    #expect(try workshop.waitForEnd(1).outcome == .succeeded)
  }

  @Test func `a resource of the settings is reserved, and more than there is refused`() throws {
    try Data(#"{"slots": 4, "resources": {"licence": 1}}"#.utf8)
      .write(to: URL(fileURLWithPath: workshop.sandbox.home + "/config.json"))
    try workshop.defineGated("gated")
    _ = try workshop.submit("gated", "--require", "licence=1")
    try workshop.awaitReady(1)
    let second = try workshop.submit("gated", "--require", "licence=1")
    #expect(second.pendingReason?.code == .resource)
    let resources = try workshop.jobrun("resources").output
    #expect(resources.contains("licence     1 of 1 taken\n"), "\(resources)")
    let refused = try workshop.jobrun("run", "--require", "licence=2", "--", "true")
    #expect(refused.status == 69)
    #expect(refused.errors.contains("the job needs 2 of licence, and this machine has 1"))
    #expect(try workshop.jobrun("run", "--require", "tape=1", "--", "true").status == 69)
    let opened = try workshop.openGate()
    #expect(try workshop.waitForEnd(2).outcome == .succeeded)
    withExtendedLifetime(opened) {}
  }

  @Test func `without a job the latest is meant, and filters select others`() throws {
    try workshop.jobrun("run", "--detach", "--", "sh", "-c", "exit 3")
    try workshop.jobrun("run", "--detach", "--", "echo", "done")
    try workshop.jobrun("wait", "1", "2")
    #expect(try workshop.jobrun("log").output == "done\n")
    #expect(try workshop.jobrun("wait").status == 0)
    #expect(try workshop.jobrun("wait", "--all").status == 0)
    #expect(try workshop.jobrun("wait", "1", "--until", "running").status == 3)
    #expect(
      try workshop.jobrun("list", "--outcome", "failed", "--format", "number").output == "1\n")
    #expect(try workshop.jobrun("redo", "2").status == 0)
    try workshop.waitForEnd(2)
    #expect(try workshop.jobrun("forget", "--outcome", "failed").errors == "forgot job 1\n")
    let none = try workshop.jobrun("forget", "--outcome", "failed")
    #expect(none.status == 0 && none.errors.contains("no job has ended that matches"))
    let missing = try workshop.jobrun("show", "7-9")
    #expect(missing.status == 66 && missing.errors.contains("only job 2 is known"))
  }

  @Test func `a file of jobs is one submission, each after those that it names`() throws {
    let ledger = workshop.sandbox.path("ledger")
    try workshop.sandbox.write(
      """
      {"name": "sum", "command": "echo sum >> \(ledger)", "after": ["a", "b"]}
      {"name": "a", "command": ["sh", "-c", "echo $0 >> \(ledger)", "part"]}
      {"name": "b", "command": ["sh", "-c", "echo part >> \(ledger)"], "title": "Second"}
      """, to: "jobs.jsonl")
    let finished = try workshop.jobrun("submit-file", workshop.sandbox.path("jobs.jsonl"))
    #expect(finished.status == 0, "\(finished.errors)")
    let text = try String(contentsOfFile: ledger, encoding: .utf8)
    #expect(text == "part\npart\nsum\n")
    #expect(try workshop.show(2).title == "Second")
    #expect(try workshop.show(1).terms.command?.prefix(3) == ["sh", "-c", "echo $0 >> \(ledger)"])
    #expect(try workshop.show(3).terms.after == [JobNumber(1), JobNumber(2)])
    try workshop.sandbox.write("{\"command\": \"true\"}\n{\"command\": 3}", to: "bad.jsonl")
    let bad = try workshop.jobrun("submit-file", workshop.sandbox.path("bad.jsonl"))
    #expect(bad.status == 64 && bad.errors.contains("bad.jsonl:2: "))
    #expect(try workshop.jobrun("list", "--all", "--format", "number").output == "1\n2\n3\n")
  }

  @Test
  func `jobs of a file have folders, variables and files of their own, also for the next runner`()
    throws
  {
    try workshop.sandbox.write(
      """
      {"name": "dir", "command": "mkdir -p made/{} && echo input > made/{}/in"}
      {"name": "no", "command": "exit 1", "env": {"A": "b"}}
      {"command": "echo $PWD $A; cat", "cwd": "made/{}", "env": {"A": "1 2"}, "after": "dir", \
      "stdin": "in", "stdout": "out.%i"}
      {"command": ["env"], "cwd": "/", "afterOne": ["no", "dir"], "stdout": "\(workshop.sandbox.path("env"))"}
      """, to: "jobs.jsonl")
    try workshop.jobrun("runner", "pause")
    let submitted = try workshop.sandbox.run(
      "jobrun", ["submit-file", "--detach", "--id", workshop.sandbox.path("jobs.jsonl")],
      environment: workshop.environment)
    #expect(submitted.output == "1-4\n", "\(submitted.errors)")
    try RecoveryTests.crash(workshop)
    try workshop.jobrun("runner", "resume")
    #expect(try workshop.waitForEnd(3).outcome == .succeeded)
    #expect(try workshop.waitForEnd(4).outcome == .succeeded)
    let folder = workshop.sandbox.path("made/{}")
    #expect(
      try String(contentsOfFile: "\(folder)/out.3", encoding: .utf8) == "\(folder) 1 2\ninput\n")
    let variables = try String(contentsOfFile: workshop.sandbox.path("env"), encoding: .utf8)
    #expect(variables.contains("JOBRUN_JOB=4\n") && !variables.contains("\nA=1 2\n"))
    let third = try workshop.show(3)
    #expect(third.terms.directory == folder && third.terms.stdout == "\(folder)/out.3")
    #expect(third.terms.environment.contains("A"))
    try workshop.sandbox.write("{\"command\": \"true\", \"cwd\": \"none\"}", to: "bad.jsonl")
    let bad = try workshop.jobrun("submit-file", workshop.sandbox.path("bad.jsonl"))
    #expect(bad.status == 66 && bad.errors.contains("line 1: cwd is "), "\(bad.errors)")
  }

  @Test func `what is submitted while another waits is waited for, too, if that was asked`() throws
  {
    let late =
      "jobrun run --detach --group g -- sh -c 'jobrun run --detach --group g -- sh -c \"exit 3\"'"
    try workshop.jobrun("run", "--detach", "--group", "g", "--", "sh", "-c", late)
    #expect(try workshop.jobrun("wait", "group:g", "--new").status == 3)
    #expect(try workshop.show(3).state == .ended)
    #expect(try workshop.jobrun("wait", "--all", "--new").status == 0)
    #expect(try workshop.jobrun("wait", "1", "--new").status == 64)
  }

  @Test func `a folder and variables of its own`() throws {
    let finished = try workshop.jobrun(
      "run", "--cwd", "/", "--env", "A=1 2", "--env", "B=", "-f", "--", "sh", "-c",
      "echo $PWD $A.$B.")
    #expect(finished.output.contains("/ 1 2..\n"))
    #expect(try workshop.jobrun("run", "--cwd", "/nowhere", "--", "true").status == 66)
    #expect(try workshop.jobrun("run", "--env", "A", "--", "true").status == 64)
  }
}
