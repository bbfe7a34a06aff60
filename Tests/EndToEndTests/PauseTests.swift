import Foundation
import Glibc
import JobCore
import JobPage
import JobWire
import LinuxSystem
import TestKit
import Testing

/// Jobs that are paused, and resume regardless of events in between.
@Suite struct PauseTests {
  private let workshop: Workshop

  init() throws {
    workshop = try Workshop(slots: 1)
  }

  /// A job that counts how many of its 300 processes got through the gate.
  private func defineCrowd() throws {
    try workshop.define(
      "crowd",
      """
      i=0
      while [ $i -lt 300 ]; do
        (read line < "$GATE"; echo $i >> "$READY.passed") &
        i=$((i + 1))
      done
      echo x > "$READY.$JOBRUN_JOB"
      wait
      """)
    _ = workshop.gate
  }

  private func defineGated(_ more: String = "") throws {
    try workshop.define(
      "gated",
      """
      trap 'echo tidied > "$READY.tidied"; exit 3' TERM
      echo x > "$READY.$JOBRUN_JOB"
      while ! read line < "$GATE"; do :; done
      exit 7
      """, more)
    _ = workshop.gate
  }

  /// Waits until all processes of the job are stopped, or none is; how many there are.
  @discardableResult
  private func await(stopped: Bool, running text: String = "jobs/") throws -> Int {
    let limit = ContinuousClock.now + Deadline.timeout
    while true {
      let states = workshop.sandbox.processes(running: text)
        .compactMap { ProcessStatus(pid: $0)?.state }.filter { $0 != UInt8(ascii: "Z") }
      // A parent that waits for a child which was stopped before exec is in state `D`.
      let count = states.count { $0 == UInt8(ascii: "T") }
      let waiting = states.count { $0 == UInt8(ascii: "D") }
      if !states.isEmpty, stopped ? count > 0 && count + waiting == states.count : count == 0 {
        return states.count
      }
      guard ContinuousClock.now < limit else {
        throw Overdue(
          awaited: "\(states.count) processes that are \(stopped ? "" : "not ")stopped",
          limit: Deadline.timeout, seen: "\(count) are")
      }
      sched_yield()
    }
  }

  /// Begins job 1 in a program, and waits until the runner knows: it is told after the beginning.
  private func begin(in program: HostingProgram, _ options: String = "") throws {
    try program.begin("trip", options)
    #expect(try workshop.jobrun("wait", "1", "--until", "running").status == 0)
  }

  @Test func `300 processes stand still across a killed runner, and every one goes on`() throws {
    try defineCrowd()
    _ = try workshop.submit("crowd")
    try workshop.awaitReady(1)
    let paused = try workshop.jobrun("pause", "1")
    #expect(paused.status == 0)
    #expect(paused.errors == "paused job 1; jobrun resume 1 resumes it\n")
    #expect(try self.await(stopped: true) == 301)
    try workshop.killRunner()
    let opened = try workshop.openGate()
    let job = try workshop.show(1)
    #expect(job.state == .paused && job.paused?.since != nil)
    #expect(try self.await(stopped: true) == 301)
    #expect(!FileManager.default.fileExists(atPath: workshop.sandbox.path("ready.passed")))
    #expect(try workshop.jobrun("resume", "1").errors == "resumed job 1\n")
    #expect(try workshop.jobrun("wait", "1").status == 0)
    let passed = try String(
      contentsOfFile: workshop.sandbox.path("ready.passed"), encoding: .utf8)
    #expect(Set(passed.split(separator: "\n")).count == 300)
    let ended = try workshop.show(1)
    #expect(ended.paused?.since == nil && ended.paused?.seconds ?? 0 > 0)
    withExtendedLifetime(opened) {}
  }

  @Test func `a pause for a time ends by itself, also under another runner, and says when`() throws
  {
    try defineGated()
    _ = try workshop.submit("gated")
    try workshop.awaitReady(1)
    let paused = try workshop.jobrun("pause", "1", "--for", "10m")
    #expect(paused.status == 0)
    #expect(
      paused.errors == "paused job 1; it resumes in 10 min; jobrun resume 1 resumes it now\n")
    #expect(try workshop.jobrun("list").output.contains("resumes in 10 min"))
    try workshop.killRunner()
    let known = try workshop.show(1)
    let until = try #require(known.paused?.until)
    let since = try #require(known.paused?.since)
    let length = (until - since).milliseconds
    #expect((595_000...605_000).contains(length), "\(length) ms")
    // Another time in its place.
    #expect(try workshop.jobrun("pause", "1", "--for", "2s").status == 0)
    try workshop.killRunner()
    _ = try workshop.feed(until: "resumed", of: 1)
    #expect(try workshop.show(1).state == .running)
    let group = try workshop.jobrun("pause", "group:x", "--for", "10m")
    #expect(group.status == 64)
    #expect(
      group.errors == "jobrun: group x stays paused until jobrun resume group:x; --for is for jobs:"
        + " jobrun pause ID --for 10m\n")
    #expect(try workshop.jobrun("pause", "1", "--for", "0s").status == 64)
    let opened = try workshop.openGate()
    #expect(try workshop.jobrun("wait", "1").status == 7)
    withExtendedLifetime(opened) {}
  }

  @Test func `paused beyond its limit and its silence it is not expired`() throws {
    // Not shorter: what comes before the pause and after it counts.
    try defineGated(#","limit":"20s","silentAfter":"20s""#)
    _ = try workshop.submit("gated")
    try workshop.awaitReady(1)
    #expect(try workshop.jobrun("pause", "1").status == 0)
    #expect(try workshop.jobrun("run", "--", "sleep", "21").status == 0)
    #expect(try workshop.show(1).state == .paused)
    #expect(try workshop.jobrun("resume", "1").status == 0)
    let opened = try workshop.openGate()
    #expect(try workshop.jobrun("wait", "1").status == 7)
    withExtendedLifetime(opened) {}
  }

  @Test(arguments: [["cancel", "1"], ["runner", "stop"]])
  func `told to end it goes on, and ends itself in its grace`(command: [String]) throws {
    try defineGated(#","grace":"10m""#)
    _ = try workshop.submit("gated")
    try workshop.awaitReady(1)
    // It has no page of its own.
    let script = """
      trap 'echo tidied > "$READY.tidied"; exit 3' TERM
      echo > "$READY.2"; while :; do sleep 0.02; done
      """
    try workshop.jobrun("run", "--detach", "--grace", "10m", "--", "sh", "-c", script)
    #expect(try workshop.jobrun("cancel", "1", "--now").status == 0)
    try workshop.awaitReady(2)
    #expect(try workshop.jobrun("pause", "2").status == 0)
    try self.await(stopped: true, running: "READY.2")
    let words = command.map { $0 == "1" ? "2" : $0 }
    #expect(
      try workshop.sandbox.run("jobrun", words, environment: workshop.environment).status == 0)
    _ = try workshop.jobrun("wait", "2")
    let job = try workshop.show(2)
    #expect(job.exitCode == 3)
    #expect(job.outcome == (command[0] == "cancel" ? .cancelled : .interrupted))
    #expect(FileManager.default.fileExists(atPath: workshop.sandbox.path("ready.tidied")))
    #expect(workshop.strays() == [])
  }

  @Test func `its slot is the next one's, and its own again before any that waits`() throws {
    try defineGated()
    for _ in 1...3 { _ = try workshop.submit("gated") }
    try workshop.awaitReady(1)
    #expect(try workshop.jobrun("pause", "1").status == 0)
    try workshop.awaitReady(2)
    let resumed = try workshop.jobrun("resume", "1")
    #expect(resumed.status == 0)
    #expect(resumed.errors.hasPrefix("job 1 resumes when a slot is free: "))
    #expect(resumed.errors.hasSuffix("the only slot is taken by job 2\n"), "\(resumed.errors)")
    #expect(try workshop.show(1).pendingReason?.code == .slots)
    #expect(try workshop.jobrun("cancel", "2", "--now").status == 0)
    try workshop.feed(until: "resumed", of: 1)
    #expect(try workshop.show(1).state == .running)
    #expect(try workshop.show(3).state == .queued)
    try self.await(stopped: false)
    try workshop.jobrun("cancel", "--all", "--now")
  }

  @Test func `with --keep-slot nobody starts in its place`() throws {
    try defineGated()
    _ = try workshop.submit("gated")
    try workshop.awaitReady(1)
    #expect(try workshop.jobrun("pause", "--all", "--keep-slot").status == 0)
    _ = try workshop.submit("gated")
    #expect(try workshop.show(2).state == .queued)
    #expect(try workshop.jobrun("resume", "--all").errors == "resumed job 1\n")
    try workshop.jobrun("cancel", "--all", "--now")
  }

  @Test func `a supervisor that is killed meanwhile leaves nothing behind`() throws {
    try workshop.define(
      "stray", "setsid sleep 1000 &\necho x > \"$READY.$JOBRUN_JOB\"\nread line < \"$GATE\"")
    _ = workshop.gate
    _ = try workshop.submit("stray")
    try workshop.awaitReady(1)
    // A shell that is paused before it executes that is never seen as such.
    try GroupedWorkshop.settle("the process in the background") {
      !workshop.sandbox.processes(running: "sleep 1000").isEmpty
    }
    #expect(try workshop.jobrun("pause", "1").status == 0)
    try self.await(stopped: true, running: "sleep 1000")
    let record = try File.readAll(workshop.sandbox.home + "/state/runs/1.1")
    kill(try #require(RunRecord(parsing: record).started).shim.pid, SIGKILL)
    #expect(try workshop.jobrun("wait", "1").status == 76)
    #expect(workshop.strays() == [])
  }

  @Test func `what somebody else stops is not paused`() throws {
    try defineGated()
    _ = try workshop.submit("gated")
    try workshop.awaitReady(1)
    let pid = try #require(try workshop.show(1).pid)
    kill(pid, SIGSTOP)
    try self.await(stopped: true)
    #expect(try workshop.show(1).state == .running)
    let refused = try workshop.jobrun("resume", "1")
    #expect(refused.status == 66)
    #expect(refused.errors.contains("job 1 is not paused"))
    kill(pid, SIGCONT)
    try workshop.jobrun("cancel", "--all", "--now")
  }

  @Test func `what waits or has ended cannot be paused, and is told why`() throws {
    try defineGated()
    for _ in 1...2 { _ = try workshop.submit("gated") }
    try workshop.awaitReady(1)
    let waiting = try workshop.jobrun("pause", "2")
    #expect(waiting.status == 66)
    #expect(
      waiting.errors.contains(
        "job 2 has not started, so there is nothing to pause; jobrun hold 2 keeps it from starting"
      ))
    try workshop.jobrun("cancel", "--all", "--now")
    try workshop.jobrun("wait", "1")
    let ended = try workshop.jobrun("pause", "1")
    #expect(ended.status == 66)
    #expect(ended.errors.contains("job 1 has already ended"), "\(ended.errors)")
    #expect(
      try workshop.jobrun("pause", "--all").errors == "no jobs are running that can be paused\n")
  }

  @Test func `what runs in a program of its own is not said to be paused`() throws {
    let program = try HostingProgram(in: workshop)
    try begin(in: program)
    let refused = try workshop.jobrun("pause", "1")
    #expect(refused.status == 69)
    let sentence = "job 1 runs inside another program, which cannot pause it"
    #expect(refused.errors.contains(sentence), "\(refused.errors)")
    #expect(try workshop.show(1).state == .running)
    try program.tell("finish trip")
    #expect(try workshop.waitForEnd(1).outcome == .succeeded)
  }

  @Test func `a program of its own that can pause its work is told to, and to go on`() throws {
    let program = try HostingProgram(in: workshop)
    let identifier = "\(HostingProgram.prefix).trip"
    try begin(in: program, "pausable")
    let paused = try workshop.jobrun("pause", "1")
    #expect(paused.status == 0, "\(paused.errors)")
    #expect(paused.errors == "paused job 1; jobrun resume 1 resumes it\n")
    try program.says("pauses \(identifier)")
    #expect(try workshop.show(1).state == .paused)
    #expect(try workshop.jobrun("resume", "1").status == 0)
    try program.says("goes on with \(identifier)")
    #expect(try workshop.jobrun("pause", "--all").errors.contains("paused job 1"))
    try program.says("pauses \(identifier)")
    try workshop.jobrun("resume", "--all")
    try program.says("goes on with \(identifier)")
    #expect(try workshop.show(1).state == .running)
    try program.tell("finish trip")
    #expect(try workshop.waitForEnd(1).outcome == .succeeded)
  }

  @Test
  func `paused in its program, it is so for the next runner, and goes on when it is told to end`()
    throws
  {
    let program = try HostingProgram(in: workshop)
    let identifier = "\(HostingProgram.prefix).trip"
    try begin(in: program, "pausable")
    #expect(try workshop.jobrun("pause", "1").status == 0)
    try workshop.killRunner()
    #expect(try workshop.show(1).state == .paused)
    #expect(try workshop.jobrun("cancel", "1").status == 0)
    try program.says("expired \(identifier)")
    try program.says("goes on with \(identifier)")
    #expect(try workshop.waitForEnd(1).outcome == .cancelled)
  }

  @Test func `a paused runner starts nothing, nor does the next one, until it is resumed`() throws {
    try defineGated()
    #expect(
      try workshop.jobrun("runner", "pause").errors
        == "the runner is paused: 0 jobs keep running, and no other starts until jobrun runner resume\n"
    )
    let sentence = "the runner is paused; jobrun runner resume lets jobs start again\n"
    #expect(try workshop.jobrun("list").errors.hasSuffix(sentence))
    _ = try workshop.submit("gated")
    #expect(try workshop.show(1).pendingReason?.code == .paused)
    try workshop.killRunner()
    #expect(try workshop.jobrun("list").output.contains("the runner is paused"))
    let status = try workshop.jobrun("runner", "status").output
    #expect(status.contains("no job starts until jobrun runner resume"), "\(status)")
    #expect(try workshop.jobrun("runner", "resume").errors == "the runner starts jobs again\n")
    try workshop.awaitReady(1)
    try workshop.jobrun("cancel", "--all", "--now")
  }
}
