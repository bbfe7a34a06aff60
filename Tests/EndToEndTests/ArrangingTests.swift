import JobCore
import JobWire
import TestKit
import Testing

/// Priority, order, holds and edits of jobs that wait, as people ask for them.
@Suite struct ArrangingTests {
  /// Job 1 runs and holds the only slot.
  private func workshop() throws -> Workshop {
    let workshop = try Workshop(slots: 1)
    try workshop.defineGated("gated")
    try workshop.define("quick", "echo ran")
    try workshop.define("tidy", "echo ran", ", \"priority\": \"low\"")
    _ = try workshop.submit("gated")
    try workshop.awaitReady(1)
    return workshop
  }

  @Test func `what is held, moved and edited is so after a crash of the runner`() throws {
    let workshop = try workshop()
    _ = try workshop.submit("tidy")
    _ = try workshop.submit("quick")
    _ = try workshop.submit("quick")
    _ = try workshop.submit("quick", "--hold")
    let urgent = try workshop.submit("quick", "--priority", "high")
    #expect(urgent.terms.priority == .high && urgent.position == 1)
    #expect(try workshop.show(2).terms.priority == .low)
    #expect(try workshop.jobrun("hold", "3").errors == "job 3 is on hold\n")
    #expect(try workshop.jobrun("move", "5", "--after", "4").status == 0)
    let edited = try workshop.jobrun(
      "edit", "2", "--title", "Tidy up", "--priority", "normal", "--after", "5")
    #expect(edited.errors == "changed job 2 (waits for job 5 to succeed)\n")
    try RecoveryTests.crash(workshop)
    #expect(try workshop.show(6).position == 1)
    #expect(try workshop.show(4).position == 2)
    for number in [3, 5] as [UInt64] {
      let reason = try workshop.show(number).pendingReason
      #expect(reason?.code == .held)
      #expect(reason?.message == "on hold until jobrun release")
    }
    let second = try workshop.show(2)
    #expect(second.title == "Tidy up" && second.terms.priority == .normal)
    #expect(second.terms.after == [JobNumber(5)])
    let released = try workshop.jobrun("release", "3", "5")
    #expect(released.status == 0, "\(released.errors)")
    try RecoveryTests.crash(workshop)
    #expect(try workshop.show(3).position == 2)
    let opened = try workshop.openGate()
    for number in 1...6 as ClosedRange<UInt64> { try workshop.waitForEnd(number) }
    let starts = try [6, 3, 4, 5, 2].map { try #require(try workshop.show($0).started) }
    #expect(starts == starts.sorted())
    withExtendedLifetime(opened) {}
  }

  @Test func `the feed tells what was done to a job`() throws {
    let workshop = try workshop()
    _ = try workshop.submit("quick", "--hold")
    _ = try workshop.submit("quick")
    try workshop.jobrun("move", "3", "--first")
    try workshop.jobrun("release", "2")
    try workshop.jobrun("hold", "2")
    try workshop.jobrun("edit", "2", "--subtitle", "soon")
    let told = try workshop.feed(until: "edited", of: 2)
    for (event, number) in [("submitted", 2), ("moved", 3), ("released", 2), ("held", 2)] {
      #expect(told.contains("\"event\":\"\(event)\",\"job\":{\"number\":\(number),"), "\(event)")
    }
    #expect(told.contains("\"subtitle\":\"soon\""))
  }

  @Test func `what cannot be done is said with what would be right`() throws {
    let workshop = try workshop()
    _ = try workshop.submit("quick")
    _ = try workshop.submit("quick", "--priority", "high")
    _ = try workshop.submit("quick")
    try workshop.jobrun("cancel", "4")
    let mistakes: [([String], Int32, String)] = [
      (["run", "--priority", "urgent", "--", "true"], 64, "it must be high, normal or low"),
      (["run", "--priority", "5", "--", "true"], 64, "--priority is \"5\""),
      (["run", "--hold", "--strategy", "fail", "--", "true"], 64, "leave one of them out"),
      (["move", "2"], 64, "either --first, or --after ID"),
      (["move", "2", "--first", "--after", "3"], 64, "either --first, or --after ID"),
      (["move", "2", "--after", "2"], 64, "job 2 cannot be moved behind itself"),
      (["move", "2", "--after", "3"], 64, "which jobrun edit 2 --priority high changes"),
      (["move", "2", "--after", "4"], 66, "job 4 has already ended (cancelled)"),
      (["move", "2", "--after", "1"], 66, "job 1 has begun"),
      (["move", "1", "--first"], 66, "only a waiting job can be moved"),
      (["move", "4", "--first"], 66, "only a waiting job can be moved"),
      (["move", "99", "--first"], 66, "there is no job 99"),
      (["hold", "1"], 66, "job 1 has already started; only a waiting job can be held"),
      (["hold", "4"], 66, "(cancelled); only a waiting job can be held"),
      (["release", "1"], 66, "only a waiting job can be released"),
      (["edit", "2"], 64, "edit needs something to change"),
      (["edit", "2", "--env", "A"], 64, "it must be NAME=VALUE"),
      (["edit", "2", "--cwd", "/no/such"], 66, "which is not a folder"),
      (["run", "--group", "none", "--", "true"], 64, "which means no group"),
      (["each", "--group", "none", "--", "true", ":::", "1"], 64, "which means no group"),
      (["submit", "quick", "--group", "none"], 64, "which means no group"),
      (["group", "none"], 64, "which means no group"),
      (["run", "--slots", "200%", "--", "true"], 64, "it must be a whole number from 1 to 4096"),
      (["group", "g", "--slots", "x"], 64, "from 1 to 4096, or default"),
      (
        ["edit", "1", "--title", "x"], 66,
        "job 1 has already started; only a waiting job can be edited"
      ),
      (["edit", "4", "--title", "x"], 66, "only a waiting job can be edited"),
      (["edit", "2", "--title", ""], 64, "the title is empty"),
      (["edit", "2", "--after", "2"], 64, "job 2 cannot come after itself"),
      (["edit", "2", "--after", "4"], 69, "job 4, which it depends on, was cancelled"),
      (["edit", "2", "--not-before", "soon"], 64, "\"soon\", which is not a time"),
    ]
    for (words, code, sentence) in mistakes {
      let finished = try workshop.sandbox.run("jobrun", words, environment: workshop.environment)
      #expect(finished.status == code, "\(words): \(finished.errors)")
      #expect(finished.errors.contains(sentence), "\(words): \(finished.errors)")
      #expect(finished.errors.split(separator: "\n").count == 1, "\(finished.errors)")
    }
    try workshop.define("bad", "true", ", \"priority\": \"urgent\"")
    let refused = try workshop.jobrun("submit", "bad")
    #expect(refused.status != 0 && refused.errors.contains("priority"), "\(refused.errors)")
    // One mistake does not save the others.
    let some = try workshop.jobrun("hold", "1", "2")
    #expect(some.status == 66 && some.errors.contains("job 2 is on hold"))
  }

  @Test func `environment and folder of a waiting job can be changed, also of one of many`() throws
  {
    let workshop = try workshop()
    let folder = workshop.sandbox.path("elsewhere")
    _ = try workshop.sandbox.run("mkdir", [folder])
    let script = "echo \"$A $B $PWD $0\""
    try workshop.jobrun(
      "run", "--detach", "--env", "A=old", "--env", "B=kept", "--", "sh", "-c", script)
    try workshop.jobrun(
      "each", "--detach", "--env", "A=old", "--", "sh", "-c", script, ":::", "x", "y")
    let edited = try workshop.jobrun("edit", "2", "3", "--env", "A=new", "--cwd", folder)
    #expect(edited.status == 0, "\(edited.errors)")
    try RecoveryTests.crash(workshop)
    #expect(try workshop.show(2).terms.directory == folder)
    #expect(try workshop.show(2).terms.environment.contains("A"))
    let opened = try workshop.openGate()
    for number in 1...4 as ClosedRange<UInt64> { try workshop.waitForEnd(number) }
    #expect(try workshop.jobrun("log", "2").output.hasPrefix("new kept \(folder) "))
    #expect(try workshop.jobrun("log", "3").output == "new  \(folder) x\n")
    #expect(try workshop.jobrun("log", "4").output.hasPrefix("old  "))
    withExtendedLifetime(opened) {}
  }

  @Test func `a redone job gets other options, and says whether it starts or waits`() throws {
    let workshop = try workshop()
    let opened = try workshop.openGate()
    try workshop.waitForEnd(1)
    withExtendedLifetime(opened) {}
    try workshop.jobrun("run", "--limit", "1s", "--", "sleep", "1000")
    #expect(try workshop.show(2).outcome == .expired)
    let held = try workshop.jobrun(
      "redo", "2", "--limit", "2h", "--title", "Again", "--priority", "high", "--group", "g",
      "--hold")
    #expect(held.errors.contains("job 2 is queued for another attempt"), "\(held.errors)")
    let job = try workshop.show(2)
    #expect(job.state == .queued && job.pendingReason?.code == .held)
    #expect(job.title == "Again" && job.terms.priority == .high && job.terms.group == "g")
    #expect(job.terms.options?.limit == .seconds(7200))
    try workshop.jobrun("run", "--", "true")
    try workshop.jobrun("run", "--detach", "--", "sleep", "1000")
    let waits = try workshop.jobrun("redo", "3").errors
    #expect(
      waits == "job 3 is queued for another attempt (waiting: the only slot is taken by job 4)\n")
    try workshop.jobrun("cancel", "3", "4", "--now")
    try workshop.waitForEnd(4)
    #expect(
      try workshop.jobrun("redo", "3").errors
        == "job 3 starts another attempt; watch it with jobrun attach 3\n")
  }

  @Test func `a time to wait for comes and goes by an edit`() throws {
    let workshop = try Workshop(slots: 1)
    try workshop.define("quick", "echo ran")
    _ = try workshop.submit("quick", "--hold")
    try workshop.jobrun("edit", "1", "--not-before", "+2h")
    try workshop.jobrun("release", "1")
    #expect(try workshop.show(1).pendingReason?.code == .notBefore)
    try workshop.jobrun("edit", "1", "--not-before", "now")
    #expect(try workshop.waitForEnd(1).outcome == .succeeded)
  }

  @Test func `a job of low priority gives way while it runs, and no other does`() throws {
    let workshop = try Workshop()
    let own = try workshop.sandbox.run("sh", ["-c", "nice; ionice -p $$"]).output
    for (priority, isNice) in [("low", true), ("normal", false), ("high", false)] {
      let finished = try workshop.jobrun(
        "run", "-q", "-f", "--priority", priority, "--", "sh", "-c", "nice; ionice -p $$; (nice)")
      let lines = finished.output.split(separator: "\n")
      if isNice {
        #expect(lines == ["10", "best-effort: prio 7", "10"], "\(finished.output)")
      } else {
        #expect(lines.prefix(2).joined(separator: "\n") + "\n" == own, "\(finished.output)")
      }
    }
  }

  @Test func `lists show a priority that is not as usual`() throws {
    let workshop = try workshop()
    _ = try workshop.submit("tidy")
    _ = try workshop.submit("quick")
    let list = try workshop.jobrun("list").output
    #expect(list.contains("queued, low"))
    #expect(!list.contains("normal"))
    #expect(try workshop.jobrun("pending").output.contains("priority low"))
    #expect(try workshop.jobrun("show", "2").output.contains("priority"))
    #expect(!(try workshop.jobrun("show", "3").output.contains("priority  ")))
    #expect(
      try workshop.jobrun("list", "--format", "number,priority").output
        == "1\tnormal\n2\tlow\n3\tnormal\n")
    let reason = try workshop.show(2).pendingReason?.message
    #expect(reason == "the only slot is taken by job 1; 1 of a higher priority goes first")
    _ = try workshop.submit("quick", "--priority", "high")
    let behind = try workshop.show(3).pendingReason?.message
    #expect(behind == "the only slot is taken by job 1; 1 of a higher priority goes first")
  }
}
