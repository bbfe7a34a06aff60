import JobCore
import JobWire
import TestKit
import Testing

/// Jobs that come after others, as people submit them.
@Suite struct AfterTests {
  @Test func `a job waits for others, over a crash of the runner, until all have succeeded`()
    throws
  {
    let workshop = try Workshop()
    try workshop.defineGated("gated")
    try workshop.define("quick", "echo ran")
    _ = try workshop.submit("quick")
    try workshop.waitForEnd(1)
    _ = try workshop.submit("gated", "--title", "Long one")
    try workshop.awaitReady(2)
    let last = try workshop.submit("quick", "--after", "Long", "--after", "1,@~1")
    #expect(last.number == JobNumber(3))
    #expect(last.terms.after == [JobNumber(1), JobNumber(2)])
    #expect(last.pendingReason?.code == .after)
    #expect(last.pendingReason?.message == "waits for job 2 to succeed")
    // A success counts even if the job was forgotten since.
    try workshop.jobrun("forget", "1")
    try RecoveryTests.crash(workshop)
    #expect(try workshop.show(3).pendingReason?.message == "waits for job 2 to succeed")
    let opened = try workshop.openGate()
    let job = try workshop.waitForEnd(3)
    #expect(job.outcome == .succeeded, "\(job.message ?? "")")
    #expect(try workshop.jobrun("log", "3").output == "ran\n")
    let first = try workshop.show(2)
    #expect(try #require(first.ended) <= #require(job.started))
    withExtendedLifetime(opened) {}
  }

  @Test(arguments: [[], ["--json"]])
  func `a job and what comes after it are cancelled together`(_ flags: [String]) throws {
    let workshop = try Workshop()
    for words in [["--hold"], ["--after", "1"], ["--after", "2"]] {
      try workshop.sandbox.run(
        "jobrun", ["run", "--detach"] + words + ["--", "true"], environment: workshop.environment)
    }
    let cancelled = try workshop.sandbox.run(
      "jobrun", ["cancel"] + flags + ["1", "2", "3"], environment: workshop.environment)
    #expect(cancelled.status == 0, "\(cancelled.errors)")
    #expect(try [1, 2, 3].map { try workshop.show($0).state } == [.ended, .ended, .ended])
    // By itself it has ended already.
    #expect(try workshop.jobrun("cancel", "3").status == 66)
  }

  @Test func `what fails while no runner lives refuses the whole chain behind it`() throws {
    let workshop = try Workshop()
    try workshop.define(
      "failing", "echo x > \"$READY.$JOBRUN_JOB\"\nread line < \"$GATE\"\nexit 3")
    try workshop.define("quick", "echo ran")
    let gate = workshop.gate
    _ = try workshop.submit("failing")
    try workshop.awaitRunning(1)
    _ = try workshop.submit("quick", "--after", "@")
    _ = try workshop.submit("quick", "--after", "2")
    let worker = try #require(try workshop.show(1).pid)
    try RecoveryTests.crash(workshop)
    let opened = try workshop.openGate()
    try WaitFor.end(ofProcess: worker)
    let finished = try workshop.jobrun("wait", "3")
    #expect(finished.status == ExitCode.unavailable)
    #expect(finished.errors.contains("job 2, which it depends on, was refused"))
    let second = try workshop.show(2)
    #expect(second.outcome == .refused)
    #expect(second.stopReason?.code == .dependency)
    #expect(second.stopReason?.message == "job 1, which it depends on, failed")
    #expect(second.started == nil)
    withExtendedLifetime((opened, gate)) {}
  }

  @Test func `what cannot be waited for is refused on the spot`() throws {
    let workshop = try Workshop()
    try workshop.define("failing", "exit 3")
    try workshop.defineGated("gated", ", \"grace\": \"0s\"")
    _ = try workshop.submit("failing")
    try workshop.waitForEnd(1)
    _ = try workshop.submit("gated")
    try workshop.awaitReady(2)
    let cases: [(flags: [String], code: Int32, sentence: String)] = [
      (["--after", "99"], ExitCode.notFound, "--after: there is no job 99"),
      (["--after", "2,1"], ExitCode.unavailable, "job 1, which it depends on, failed"),
      (["--after", "nothing"], ExitCode.notFound, "no job is called \"nothing\""),
      (["--after", "2,"], ExitCode.usage, "it must be jobs separated by commas"),
      (
        ["--after", "2", "--strategy", "fail"], ExitCode.tryLater,
        "it would have to wait for job 2 to succeed"
      ),
    ]
    for (flags, code, sentence) in cases {
      let finished = try workshop.sandbox.run("jobrun", ["run"] + flags + ["--", "true"])
      #expect(finished.status == code, "\(flags): \(finished.errors)")
      #expect(finished.errors.contains(sentence), "\(flags): \(finished.errors)")
    }
    let all = try workshop.jobrun("list", "--all", "--json").output
    #expect(all.split(separator: "\n").count == 2)
    try workshop.jobrun("cancel", "2")
  }

  @Test func `a refused job waits again once it and what it comes after are redone`() throws {
    let workshop = try Workshop()
    try workshop.define(
      "second-time", "[ \"$JOBRUN_ATTEMPT\" -gt 1 ] || exit 3\nread line < \"$GATE\"")
    let gate = workshop.gate
    try workshop.define("quick", "echo ran")
    _ = try workshop.submit("second-time")
    try workshop.waitForEnd(1)
    try workshop.jobrun("redo", "1")
    _ = try workshop.submit("quick", "--after", "1")
    try workshop.jobrun("cancel", "2")
    try workshop.jobrun("redo", "2")
    #expect(try workshop.show(2).pendingReason?.code == .after)
    let opened = try workshop.openGate()
    #expect(try workshop.waitForEnd(2).outcome == .succeeded)
    withExtendedLifetime((opened, gate)) {}
  }
}
