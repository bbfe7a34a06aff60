import Foundation
import JobCore
import JobWire
import TestKit
import Testing

/// The progress of programs that know nothing of us.
@Suite struct RecognitionTests {
  /// Says that it has come so far, then waits until the test opens the gate.
  private static let pause = "echo > \"$READY.$JOBRUN_JOB\"; read line < \"$GATE\""

  @Test func `a count in the output is the progress, and show says who recognised it`() throws {
    let workshop = try Workshop()
    try workshop.jobrun("run", "--detach", "--", "sh", "-c", "echo '[3/9] x'; \(Self.pause)")
    try workshop.awaitReady(1)
    let progress = try #require(try workshop.show(1).progress)
    #expect(progress.completed == 3)
    #expect(progress.total == 9)
    #expect(progress.source == .output)
    #expect(try workshop.jobrun("show", "1").output.contains("output: [n/m]"))
    let gate = try workshop.openGate()
    defer { gate.signal(9) }
    let ended = try workshop.waitForEnd(1)
    #expect(ended.progress?.recogniser == "[n/m]")
  }

  @Test func `what stands at the end of a long output is found`() throws {
    let workshop = try Workshop()
    let script = "seq 200000; echo '[5/9] x'; \(Self.pause)"
    try workshop.jobrun("run", "--detach", "--", "sh", "-c", script)
    try workshop.awaitReady(1)
    #expect(try workshop.show(1).progress?.completed == 5)
    try workshop.jobrun("cancel", "1")
  }

  @Test func `an attached terminal shows it beside the output`() throws {
    let workshop = try Workshop()
    let terminal = try Pseudoterminal(columns: 100)
    let command = try workshop.start(
      "run", "-f", "--title", "T", "--", "sh", "-c", "echo '[3/9] x'; read line < \"$GATE\"",
      on: terminal)
    let shown = try terminal.read(until: "33 %")
    #expect(shown.contains("[3/9] x"))
    let gate = try workshop.openGate()
    defer { gate.signal(9) }
    #expect(try command.wait().status == 0)
  }

  @Test func `a job that uses its page is believed instead`() throws {
    let workshop = try Workshop()
    let script = "echo '[3/9] x'; jobrun progress --total 10 --completed 4; \(Self.pause)"
    try workshop.jobrun("run", "--detach", "--", "sh", "-c", script)
    try workshop.awaitReady(1)
    let progress = try #require(try workshop.show(1).progress)
    #expect(progress.completed == 4)
    #expect(progress.source == .page)
    try workshop.jobrun("cancel", "1")
  }

  @Test func `of a mute program the file that it reads tells`() throws {
    let workshop = try Workshop()
    let script = """
      truncate -s 64M big; exec 3< big
      while dd bs=64k count=1 <&3 2> /dev/null > /dev/null; do sleep 0.1; done
      """
    try workshop.jobrun("run", "--detach", "--", "sh", "-c", script)
    let feed = try workshop.start("feed")
    defer { feed.signal(2) }
    try feed.wait(for: "\"source\":\"file\",\"recogniser\":\"reading big\"")
    let progress = try #require(try workshop.show(1).progress)
    #expect(progress.total == 64 << 20)
    #expect(progress.completed > 0)
    try workshop.jobrun("cancel", "1", "--now")
  }

  @Test func `none looks at nothing, and a pattern is what a person says`() throws {
    let workshop = try Workshop()
    let script = "echo '[3/9] x'; echo 'at 4 out of 16'; \(Self.pause)"
    try workshop.jobrun("run", "--progress", "none", "--detach", "--", "sh", "-c", script)
    try workshop.awaitReady(1)
    #expect(try workshop.show(1).progress == nil)
    let pattern = "at ([0-9]+) out of ([0-9]+)"
    try workshop.jobrun("run", "--progress", pattern, "--detach", "--", "sh", "-c", script)
    try workshop.awaitReady(2)
    let progress = try #require(try workshop.show(2).progress)
    #expect(progress.completed == 4)
    #expect(progress.total == 16)
    #expect(progress.recogniser == "/\(pattern)/")
    try workshop.jobrun("cancel", "--all")
  }

  @Test(arguments: [("(", "Unmatched"), ("x", "0 groups"), ("(a)(b)(c)", "3 groups")])
  func `a pattern that cannot be used is refused with its reason`(
    _ pattern: String, _ reason: String
  ) throws {
    let workshop = try Workshop()
    let finished = try workshop.jobrun("run", "--progress", pattern, "--", "true")
    #expect(finished.status == 64)
    #expect(finished.errors.contains(reason))
    #expect(try workshop.jobrun("list", "--all", "--json").output == "")
  }

  @Test func `recognised progress stalls where that was asked for`() throws {
    let workshop = try Workshop()
    let finished = try workshop.jobrun(
      "run", "--stall-after", "1s", "--on-stall", "stop", "--grace", "100ms", "--", "sh", "-c",
      "while :; do echo '[3/9] x'; sleep 0.05; done")
    #expect(finished.status == 124)
    #expect(try workshop.show(1).stopReason?.code == .stallDeclined)
  }

  @Test func `pty gives a terminal to write to, and the exit status stays true`() throws {
    let workshop = try Workshop()
    let script = "test -t 1 && test -t 2 && echo terminal; stty size <&1; exit 3"
    let finished = try workshop.jobrun("run", "--pty", "--", "sh", "-c", script)
    #expect(finished.status == 3)
    #expect(try workshop.jobrun("log", "1").output == "terminal\n24 80\n")
  }

  @Test func `cancel ends the whole tree of a program with a terminal`() throws {
    let workshop = try Workshop()
    let script = "sleep 1000 & setsid sleep 1000 & echo > \"$READY.$JOBRUN_JOB\"; sleep 1000"
    try workshop.jobrun("run", "--pty", "--detach", "--", "sh", "-c", script)
    try workshop.awaitReady(1)
    try workshop.jobrun("cancel", "1")
    #expect(try workshop.waitForEnd(1).outcome == .cancelled)
    #expect(workshop.strays() == [])
  }
}
