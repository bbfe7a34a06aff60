import JobCore
import JobWire
import TestKit
import Testing

/// Several jobs in the place of one: `2,4`, `2-4`, `group:NAME`, `--all`.
@Suite struct SelectionTests {
  private let workshop: Workshop

  init() throws {
    workshop = try Workshop(slots: 1)
    try workshop.defineGated("gated")
    _ = try workshop.submit("gated")
    try workshop.awaitReady(1)
    for input in ["2", "3", "4"] {
      try workshop.jobrun("run", "--detach", "--", "sh", "-c", "echo out $0; exit $0", input)
    }
  }

  private func finish() throws {
    let opened = try workshop.openGate()
    _ = try workshop.jobrun("wait", "1-4")
    withExtendedLifetime(opened) {}
  }

  @Test func `jobs that wait are held and released together`() throws {
    #expect(
      try workshop.jobrun("hold", "2,4").errors == "job 2 is on hold\njob 4 is on hold\n")
    #expect(try workshop.show(3).pendingReason?.code == .slots)
    let rest = try workshop.jobrun("hold", "1-4")
    // Running jobs cannot be held.
    #expect(rest.status == 0)
    #expect(rest.errors == "job 2 is on hold\njob 3 is on hold\njob 4 is on hold\n")
    #expect(try workshop.jobrun("release", "--all").status == 0)
    let none = try workshop.jobrun("release", "--all")
    #expect(none.status == 0 && none.errors == "no job is on hold\n")
    try workshop.jobrun("cancel", "--all", "--now")
  }

  @Test func `a selection that matches nothing says what was looked for`() throws {
    for (verb, words, sentence) in [
      ("hold", "7-9", "no job from 7 to 9 is waiting"),
      ("release", "group:render", "no job of group render is on hold"),
      ("cancel", "7-9", "no job from 7 to 9 is running or waiting"),
      ("pause", "2-4", "no job from 2 to 4 is running that can be paused"),
      ("resume", "1-4", "no job from 1 to 4 is paused"),
      ("continue", "1-4", "no job from 1 to 4 has a question"),
      ("redo", "1-4", "no job from 1 to 4 has ended without success"),
      ("forget", "1-4", "no job from 1 to 4 has ended"),
      ("show", "7-9", "no job from 7 to 9 is known"),
      ("log", "7-9", "no job from 7 to 9 is known"),
      ("wait", "7-9", "no job from 7 to 9 is known"),
    ] {
      let refused = try workshop.jobrun(verb, words)
      #expect(
        refused.status == 66
          && refused.errors == "jobrun: \(sentence); jobs from 1 to 4 are known\n", "\(refused)")
    }
    let backwards = try workshop.jobrun("hold", "4-2")
    #expect(backwards.status == 64)
    #expect(backwards.errors.contains("\"4-2\" is not a range of jobs: it must go up"))
    try workshop.jobrun("cancel", "--all", "--now")
  }

  @Test(arguments: ["", ",", "failed,"])
  func `an empty outcome is wrong, and does not mean the latest job`(_ outcomes: String) throws {
    try finish()
    let refused = try workshop.jobrun("forget", "--outcome", outcomes)
    #expect(refused.status == 64)
    #expect(refused.errors.contains("--outcome is \"\"; it must be succeeded, failed,"))
    #expect(try workshop.jobrun("list", "--all", "--json").output.split(separator: "\n").count == 4)
  }

  @Test func `several logs are printed one after another, each with a heading`() throws {
    try finish()
    let logs = try workshop.jobrun("log", "2-3", "4")
    #expect(logs.status == 0)
    let headings = logs.output.split(separator: "\n").filter { $0.hasPrefix("==> ") }
    #expect(headings.map { $0.prefix(6) } == ["==> 2 ", "==> 3 ", "==> 4 "])
    #expect(logs.output.hasSuffix("<==\nout 4\n"))
    #expect(try workshop.jobrun("log", "2-3", "-f", "--explain").status == 64)
    #expect(try workshop.jobrun("log", "2-3", "-f").status == 0)
    let shown = try workshop.jobrun("show", "2,3", "--json").output
    #expect(shown.split(separator: "\n").count == 2)
  }

  @Test func `what is wrong with one of several does not keep the others from it`() throws {
    try finish()
    #expect(try workshop.show(2).outcome == .failed)
    let again = try workshop.jobrun("redo", "1-3", "9")
    #expect(again.status == 66)
    #expect(again.errors.contains("job 2 starts another attempt"))
    // It starts, or waits for the slot of the other one.
    #expect(again.errors.contains("another attempt (") || again.errors.contains("job 3 starts"))
    #expect(again.errors.contains("there is no job 9"))
    // The code is that of the first that failed.
    #expect(try workshop.jobrun("wait", "2", "3").status == 2)
    let forgotten = try workshop.jobrun("forget", "2-3", "4", "--json")
    #expect(forgotten.status == 0)
    #expect(forgotten.output.split(separator: "\n").count == 3)
    #expect(try workshop.jobrun("forget", "--all").errors == "forgot job 1\n")
    #expect(try workshop.jobrun("forget", "--all").errors == "no job has ended\n")
  }

  @Test func `a range is waited for, watched and cancelled as one`() throws {
    let cancelled = try workshop.jobrun("cancel", "3-9", "--json")
    #expect(cancelled.output == "{\"first\":3,\"last\":9,\"count\":2}\n")
    let opened = try workshop.openGate()
    let ended = try workshop.jobrun("wait", "1-4")
    #expect(ended.errors.contains("jobs 1 to 4: 1 failed (first: job 2), "), "\(ended)")
    withExtendedLifetime(opened) {}
  }
}
