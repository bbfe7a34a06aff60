import Foundation
import JobCore
import JobWire
import TestKit
import Testing

@Suite struct StopTests {
  /// A tree that only SIGKILL ends: double forks, sessions of their own, and deaf to TERM.
  static let stubborn = """
    trap '' TERM
    setsid sh -c 'trap "" TERM; echo $$ > "$READY.session"; while :; do sleep 1000; done' &
    sh -c 'sh -c "trap \\"\\" TERM; while :; do sleep 1000; done" & exit' &
    while [ ! -s "$READY.session" ]; do sleep 0.01; done
    : > "$READY"
    while :; do sleep 1000; done
    """

  @Test func `cancel ends the whole tree, escapees included`() throws {
    let workshop = try Workshop()
    try workshop.define("stubborn", Self.stubborn, ", \"grace\": \"300ms\"")
    let job = try workshop.submit("stubborn")
    try WaitFor.file(workshop.sandbox.path("ready"))
    #expect(try workshop.jobrun("cancel", "1").status == 0)
    #expect(try workshop.jobrun("wait", "1").status == 130)
    #expect(try workshop.show(job.number.value).stopReason?.code == .user)
    #expect(workshop.strays() == [])
  }

  @Test func `a command that has stopped itself is resumed to clean up`() throws {
    let workshop = try Workshop()
    let script = "trap 'echo cleaned; exit 0' TERM; : > \"$READY\"; kill -STOP $$; sleep 1000"
    try workshop.jobrun("run", "--detach", "--grace", "60s", "--", "sh", "-c", script)
    try WaitFor.file(workshop.sandbox.path("ready"))
    let pid = try #require(try workshop.show(1).pid)
    try WaitFor.answer("a stopped process") {
      try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8).contains(") T ")
    }
    #expect(try workshop.jobrun("cancel", "1").status == 0)
    #expect(try workshop.jobrun("wait", "1").status == 130)
    #expect(try workshop.jobrun("log", "1").output == "cleaned\n")
  }

  @Test func `cancel ends what forks faster than a search of processes finds it`() throws {
    let workshop = try Workshop()
    // Eight chains; each link leads a session, starts the next and ends. They would end themselves at last.
    let links = """
      $SIG{TERM} = "IGNORE";
      for (1..8) {
        next if fork;
        while (time < $ARGV[0]) { exit if fork; setsid }
        open F, ">", "$ENV{READY}.over";
        exit
      }
      open F, ">", $ENV{READY};
      close F;
      sleep 1 while 1
      """
    try workshop.define(
      "links", "exec perl -MPOSIX -e '\(links)' $(($(date +%s) + 120))", ", \"grace\": \"300ms\"")
    _ = try workshop.submit("links")
    try WaitFor.file(workshop.sandbox.path("ready"))
    #expect(try workshop.jobrun("cancel", "1").status == 0)
    #expect(try workshop.jobrun("wait", "1").status == 130)
    #expect(!FileManager.default.fileExists(atPath: workshop.sandbox.path("ready.over")))
    #expect(workshop.strays() == [])
  }

  @Test func `Ctrl-C cancels and says so at once, a second one kills`() throws {
    let workshop = try Workshop()
    try workshop.define("stubborn", Self.stubborn, ", \"grace\": \"10m\"")
    let terminal = try Pseudoterminal(columns: 100)
    let command = try workshop.start("submit", "stubborn", "--title", "Stubborn", on: terminal)
    try WaitFor.file(workshop.sandbox.path("ready"))
    try terminal.send("\u{3}")
    try terminal.read(until: "top")  // "stopping", however the line puts it
    #expect(command.isRunning)
    try terminal.send("\u{3}")
    #expect(try command.wait().status == 130)
    #expect(try workshop.show(1).outcome == .cancelled)
    #expect(workshop.strays() == [])
  }

  @Test func `a plain command is asked with SIGTERM and was cancelled even if it exits 0`() throws {
    let workshop = try Workshop()
    let script = "trap 'exit 0' TERM; : > \"$READY\"; while :; do sleep 0.05; done"
    let command = try workshop.start("run", "--", "sh", "-c", script)
    try WaitFor.file(workshop.sandbox.path("ready"))
    command.signal(SIGINT)
    #expect(try command.wait().status == 130)
    #expect(try workshop.show(1).outcome == .cancelled)
  }

  @Test func `a script ends at its next report once it is told to stop`() throws {
    let workshop = try Workshop()
    let script = """
      set -e
      jobrun progress --total 1000
      : > "$READY"
      while sleep 0.05; do jobrun progress --advance 1; done
      """
    try workshop.define("polite", script, ", \"grace\": \"10m\"")
    _ = try workshop.submit("polite")
    try WaitFor.file(workshop.sandbox.path("ready"))
    try workshop.jobrun("cancel", "1")
    let job = try workshop.waitForEnd(1)
    #expect(job.outcome == .cancelled && job.exitCode == 130 && job.signal == nil)
    #expect(try workshop.jobrun("log", "1").output == "jobrun: the job has been told to stop\n")
  }

  @Test func `closing the terminal leaves the job alone`() throws {
    let workshop = try Workshop()
    try workshop.defineGated("gated")
    let terminal = try Pseudoterminal()
    let command = try workshop.start("submit", "gated", on: terminal)
    try workshop.awaitRunning(1)
    terminal.close()
    _ = try command.wait()
    #expect(try workshop.show(1).state == .running)
    let attached = try workshop.start("attach", "1")
    let opened = try workshop.openGate()
    #expect(try attached.wait().status == 0)
    #expect(try workshop.show(1).outcome == .succeeded)
    withExtendedLifetime(opened) {}
  }

  @Test func `d detaches with 122 and the job goes on`() throws {
    let workshop = try Workshop()
    try workshop.defineGated("gated")
    let terminal = try Pseudoterminal()
    let command = try workshop.start("submit", "gated", on: terminal)
    try workshop.awaitRunning(1)
    try terminal.send("d")
    try terminal.read(until: "jobrun attach 1")
    #expect(try command.wait().status == 122)
    #expect(try workshop.show(1).state == .running)
  }

  @Test func `SIGTERM to a watching command detaches`() throws {
    let workshop = try Workshop()
    try workshop.defineGated("gated")
    let command = try workshop.start("submit", "gated")
    try workshop.awaitRunning(1)
    command.signal(SIGTERM)
    #expect(try command.wait().status == 122)
    #expect(try workshop.show(1).state == .running)
  }

  @Test func `a cancelled job in the queue never starts`() throws {
    let workshop = try Workshop(slots: 1)
    try workshop.defineGated("gated")
    _ = try workshop.submit("gated")
    let queued = try workshop.submit("gated")
    #expect(try workshop.jobrun("cancel", "\(queued.number)").status == 0)
    #expect(try workshop.jobrun("wait", "\(queued.number)").status == 130)
    #expect(!FileManager.default.fileExists(atPath: workshop.sandbox.path("ready.2")))
  }

  @Test func `cancelling what has ended says how it ended`() throws {
    let workshop = try Workshop()
    try workshop.define("quick", "exit 0")
    #expect(try workshop.jobrun("submit", "quick").status == 0)
    let finished = try workshop.jobrun("cancel", "1")
    #expect(finished.status == 66)
    #expect(finished.errors.contains("succeeded"))
  }

  @Test func `stopping the runner keeps what waits, or discards it, and status starts none`() throws
  {
    let workshop = try Workshop(slots: 1)
    try workshop.defineGated("gated", ", \"grace\": \"100ms\"")
    _ = try workshop.submit("gated")
    _ = try workshop.submit("gated")
    try workshop.awaitReady(1)
    let stopped = try workshop.jobrun("runner", "stop")
    #expect(stopped.status == 0)
    #expect(stopped.errors.contains("1 job waits for the next runner"), "\(stopped)")
    let runner = try RestartTests.runner(workshop)
    let status = try workshop.jobrun("runner", "status")
    #expect(status.status == 1, "\(status)")
    #expect(try RestartTests.runner(workshop) == runner)
    #expect(try workshop.show(1).outcome == .interrupted)
    try workshop.awaitReady(2)
    _ = try workshop.submit("gated")
    #expect(try workshop.jobrun("runner", "stop", "--discard").status == 0)
    #expect(try workshop.show(3).outcome == .interrupted)
    #expect(try workshop.jobrun("runner", "status", "--discard").status == 64)
  }

  @Test func `stopping the runner interrupts its jobs`() throws {
    let workshop = try Workshop()
    try workshop.defineGated("gated", ", \"grace\": \"100ms\"")
    _ = try workshop.submit("gated")
    try workshop.awaitReady(1)
    #expect(try workshop.jobrun("runner", "stop").status == 0)
    let job = try workshop.show(1)
    #expect(job.outcome == .interrupted)
    #expect(job.stopReason?.code == .runnerStop)
    #expect(workshop.strays() == [])
  }
}
