import Foundation
import JobCore
import JobWire
import TestKit
import Testing

/// The progress of programs that do not know jobrun.
@Suite struct RecognitionTests {
  /// Reports its position, then waits until the test opens the gate.
  private static let pause = "echo > \"$READY.$JOBRUN_JOB\"; read line < \"$GATE\""

  @Test func `a count in the output is the progress, and show says who recognised it`() throws {
    let workshop = try Workshop()
    try workshop.jobrun("run", "--detach", "--", "sh", "-c", "echo '[3/9] x'; \(Self.pause)")
    try workshop.awaitReady(1)
    let progress = try #require(try workshop.show(1).progress)
    #expect(progress.completed == 3)
    #expect(progress.total == 9)
    #expect(progress.source == .output)
    let shown = try workshop.jobrun("show", "1").output
    #expect(shown.contains("its output ([n/m])"))
    #expect(shown.contains("[3/9] x"))
    let gate = try workshop.openGate()
    defer { gate.signal(9) }
    let ended = try workshop.waitForEnd(1)
    #expect(ended.progress?.recogniser == "[n/m]")
  }

  @Test func `log --explain says by which rule and from which line each number was taken`() throws {
    let workshop = try Workshop()
    let script = "echo '[3/9] first'; \(Self.pause); echo '[8/9] last'"
    try workshop.jobrun("run", "--detach", "--", "sh", "-c", script)
    try workshop.awaitReady(1)
    let path = workshop.sandbox.home + "/state/logs/1.evidence"
    // It is kept of a job that has run for a second since the runner heard of its start.
    try WaitFor.answer("the first row") {
      let progress = try workshop.show(1).progress
      #expect(progress?.completed == 3)
      return FileManager.default.fileExists(atPath: path)
    }
    let gate = try workshop.openGate()
    defer { gate.signal(9) }
    try workshop.waitForEnd(1)
    let rows = try workshop.jobrun("log", "1", "--explain").output.split(separator: "\n")
    #expect(rows.count == 2)
    #expect(rows.first?.contains("  33 %  3/9  [n/m] ") == true, "\(rows)")
    #expect(rows.first?.hasSuffix("  [3/9] first") == true, "\(rows)")
    #expect(rows.last?.contains("[8/9] last") == true, "\(rows)")
    let json = try workshop.jobrun("log", "1", "--explain", "--json").output
    #expect(json.contains("\"number\":1,\"at\":"))
    #expect(json.contains("\"line\":\"[3/9] first\""))
    #expect(FileManager.default.fileExists(atPath: path))
    try workshop.jobrun("forget", "1")
    try WaitFor.noFile(path)
  }

  @Test func `what was not recognised is explained by a sentence`() throws {
    let workshop = try Workshop()
    try workshop.jobrun("run", "--", "true")
    let run = try workshop.jobrun("log", "1", "--explain")
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("no progress was recognised, or no client watched while it ran"))
    let refused = try workshop.jobrun("log", "1", "--explain", "-f")
    #expect(refused.status == ExitCode.usage)
    #expect(refused.errors.contains("--explain prints no output, so --follow does not go with it"))
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

  /// A program that reads its input slowly, then continues without output.
  private static let slowReader = """
    exec 3< "$0"; i=0
    while [ $i -lt 64 ]; do dd bs=1M count=1 <&3 2> /dev/null > /dev/null; i=$((i + 1)); sleep 0.05; done
    """

  @Test func `of a mute program the file that it was told to read tells, until it is read`() throws
  {
    let workshop = try Workshop()
    let (file, rest) = (workshop.sandbox.path("big.bin"), workshop.sandbox.path("rest"))
    try workshop.sandbox.run("truncate", ["-s", "256M", file])
    // It reads so slowly that the runner sees it at work, and takes no part for a buffer's content;
    // the rest is read at once after that.
    let script = """
      exec 3< "$0"
      until [ -e "$1" ]; do dd bs=1M count=1 <&3 2> /dev/null > /dev/null; sleep 0.1; done
      dd bs=1M <&3 2> /dev/null > /dev/null
      read line < "$GATE"
      """
    try workshop.jobrun("run", "--detach", "--", "sh", "-c", script, file, rest)
    let feed = try workshop.start("feed")
    defer { feed.signal(2) }
    let told = try feed.wait(for: "\"note\":\"reading big.bin\"")
    #expect(told.contains("\"total\":268435456"))
    try workshop.sandbox.write("", to: "rest")
    try feed.wait(for: "\"note\":\"read all of big.bin\"")
    let progress = try #require(try workshop.show(1).progress)
    #expect(progress.total == 0)
    #expect(progress.fraction == nil)
    #expect(try workshop.jobrun("show", "1").output.contains("read all of big.bin"))
    let gate = try workshop.openGate()
    defer { gate.signal(9) }
    #expect(try workshop.waitForEnd(1).progress?.fraction == 1)
  }

  @Test func `a file that the job made itself says nothing about its progress`() throws {
    let workshop = try Workshop()
    let script = "truncate -s 64M own; sh -c '\(Self.slowReader)' own; \(Self.pause)"
    try workshop.jobrun("run", "--detach", "--", "sh", "-c", script)
    let attached = try workshop.start("attach", "1")
    try workshop.awaitReady(1)
    #expect(try workshop.show(1).progress == nil)
    try workshop.jobrun("cancel", "1")
    _ = try attached.wait()
  }

  @Test func `counts that are whole are not, as long as the job goes on`() throws {
    let workshop = try Workshop()
    try workshop.jobrun("run", "--detach", "--", "sh", "-c", "echo '[9/9] x'; \(Self.pause)")
    try workshop.awaitReady(1)
    let progress = try #require(try workshop.show(1).progress)
    #expect(progress.fraction == nil)
    #expect(progress.eta == nil)
    #expect(try workshop.jobrun("show", "1").output.contains("9/9, goes on"))
    let gate = try workshop.openGate()
    defer { gate.signal(9) }
    #expect(try workshop.waitForEnd(1).progress?.fraction == 1)
  }

  @Test func `a bar that begins again is a phase, without a time left`() throws {
    let workshop = try Workshop()
    let script =
      "for i in 1 2; do for p in 10 40 70 99; do echo \"at $p%\"; done; done; echo at 40%"
    try workshop.jobrun("run", "--detach", "--", "sh", "-c", script + "; " + Self.pause)
    try workshop.awaitReady(1)
    let progress = try #require(try workshop.show(1).progress)
    #expect(progress.note == "phase 3")
    #expect(progress.eta == nil)
    #expect(try workshop.jobrun("list").output.contains("40 % phase 3"))
    try workshop.jobrun("cancel", "1")
    #expect(try workshop.waitForEnd(1).progress == nil)
  }

  @Test(arguments: [
    ("echo RuntimeError: loss is nan; exit 3", "RuntimeError: loss is nan"),
    ("echo 'error: \u{1B}[31mred\u{1B}[0m'; kill -9 $$", "error: red"),
  ])
  func `why a command failed is the last error in its output`(
    _ script: String, _ message: String
  ) throws {
    let workshop = try Workshop()
    let finished = try workshop.jobrun("run", "--", "sh", "-c", script)
    #expect(finished.errors.contains(": \(message)"))
    #expect(try workshop.show(1).message == message)
  }

  @Test func `a command that succeeds, or says nothing of an error, has no message`() throws {
    let workshop = try Workshop()
    for (number, script) in ["echo error; true", "echo fine; exit 1"].enumerated() {
      try workshop.jobrun("run", "--", "sh", "-c", script)
      #expect(try workshop.show(UInt64(number) + 1).message == nil)
    }
  }

  @Test func `the commands of make are counted when that was asked for`() throws {
    let workshop = try Workshop()
    try workshop.sandbox.write(
      "all: a b c d\na b c d:\n\t: $@\n\t@if [ $@ = c ]; then read line < \"$$GATE\"; fi\n",
      to: "Makefile")
    let make = try workshop.jobrun(
      "run", "--detach", "--progress", "make", "--", "make", "-C", workshop.sandbox.path("."))
    #expect(make.status == 0, "\(make.errors)")
    let feed = try workshop.start("feed")
    defer { feed.signal(2) }
    try feed.wait(for: "\"completed\":2,\"total\":8")
    let gate = try workshop.openGate()
    defer { gate.signal(9) }
    #expect(try workshop.waitForEnd(1).progress?.fraction == 1)
    let other = try workshop.jobrun("run", "--progress", "make", "--", "true")
    #expect(other.status == 64)
    #expect(other.errors.contains("\"true\" is not make"))
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
