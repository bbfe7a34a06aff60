import Foundation
import JobCore
import JobWire
import TestKit
import Testing

@testable import jobrun

/// The real program on a real pseudo-terminal, against a stand-in for the runner.
///
/// Clocks of the sample jobs begin in the future, so that every frame shows 0:00 however slow the
/// machine is.
struct TerminalTests {
  private let sandbox: Sandbox
  private let fake: FakeRunner
  private let erase = "\r\u{1B}[J"

  init() throws {
    sandbox = try Sandbox()
    fake = try FakeRunner(in: sandbox)
  }

  private static let future = WallTime(milliseconds: 4_102_444_800_000)

  private static func job(_ state: JobStatus.State) -> JobStatus {
    var job = Sample.job(state, title: "Trip 2026")
    job.submitted = future
    job.started = state == .queued ? nil : future
    job.attempt = 0
    switch state {
    case .queued:
      job.position = 2
      job.pendingReason = PendingReason(.slots, "both slots are taken")
    case .running:
      job.subtitle = "photos/img_0042.jpg"
      job.progress = JobProgress(completed: 1_204_000_000, total: 2_800_000_000, unit: .bytes)
    case .stalled:
      job.progress = JobProgress(completed: 43, total: 100)
      job.prompt = JobStatus.Prompt(question: "Continue?", since: future)
    case .paused:
      job.progress = JobProgress(completed: 43, total: 100)
      job.paused = JobStatus.Paused(since: future, seconds: 0)
    case .stopping:
      job.progress = JobProgress(completed: 43, total: 100)
      job.stopReason = StopReason(.user, "it was cancelled on request")
    case .launching, .ended: break
    }
    return job
  }

  private func attach(
    _ job: JobStatus, on terminal: Pseudoterminal, environment: [String: String] = [:]
  ) throws -> (ChildProcess, FakeRunner.Visitor) {
    let program = try sandbox.start(
      "jobrun", ["attach", "12"], on: terminal, environment: environment)
    return (program, try welcome(job))
  }

  private func welcome(_ job: JobStatus) throws -> FakeRunner.Visitor {
    let visitor = try fake.visitor()
    try visitor.answer(visitor.request().id, .job(job, message: nil))
    let follow = try visitor.request()
    guard case .follow = follow.request else { throw FakeRunner.Gone() }
    try visitor.answer(follow.id, .empty)
    return visitor
  }

  private func end(_ visitor: FakeRunner.Visitor, _ outcome: Outcome = .succeeded) throws {
    try visitor.tell(
      .event(
        sequence: 1, at: Sample.now.wall, .ended, Sample.ended(outcome, exitCode: nil)))
  }

  static let frames: [(JobStatus.State, UInt16, String)] = [
    (.queued, 100, "Trip 2026  waiting, #2  both slots are taken"),
    (.queued, 40, "Trip 2026  waiting, #2  both slots are…"),
    (.queued, 20, "Trip …  waiting, #2"),
    (.launching, 80, "Trip 2026  starting…"),
    (
      .running, 100,
      "Trip 2026  ━━━━━━━━━━──────────────   43 %  1.2/2.8 GB  0:00  photos/img_0042.jpg"
    ),
    (.running, 80, "Trip 2026  ━━━━━━────────   43 %  1.2/2.8 GB  0:00  photos/img_0042.jpg"),
    (.running, 40, "Trip 2026  ━━━━──────  1.2/2.8 GB  0:00"),
    (.running, 20, "Trip 2…  1.2/2.8 GB"),
    (
      .stalled, 100,
      "Trip 2026  ━━━━━━━━━━──────────────   43 %  43/100   stalled 0:00  continue? [y/n]"
    ),
    (.stalled, 40, "Trip 20…  stalled 0:00  continue? [y/n]"),
    (.stalled, 20, "T…  continue? [y/n]"),
    (
      .stopping, 100,
      "Trip 2026  ━━━━━━━━━━──────────────   43 %  43/100   stopping, ending"
    ),
    (.stopping, 40, "Trip 2026  43/100   stopping, ending"),
  ]

  @Test(arguments: frames)
  func `a frame on a terminal`(state: JobStatus.State, columns: UInt16, expected: String) throws {
    let terminal = try Pseudoterminal(columns: columns)
    let (program, visitor) = try attach(Self.job(state), on: terminal)
    // The first frame may come before the keys are taken: [y/n] is then in the second.
    let mark = state == .stalled ? "[y/n]" : "Tri"
    try terminal.read(until: mark == "Tri" ? String(expected.prefix(1)) : mark)
    try visitor.tell(.snapshot(Self.job(state)))
    try end(visitor)
    #expect(try program.wait().status == 0)
    let shown = Self.framesShown(terminal.transcript, columns: Int(columns))
    #expect(shown.contains(expected), "\(shown)")
  }

  /// What stood on the terminal each time before it was erased, without colours.
  private static func framesShown(_ transcript: String, columns: Int) -> [String] {
    transcript.components(separatedBy: "\r\u{1B}[J").flatMap { part in
      var screen = TerminalScreen(columns: columns)
      screen.write(part)
      return screen.lines.filter { !$0.isEmpty }
    }
  }

  @Test(arguments: [(["TERM": "xterm"], true), (["NO_COLOR": "1"], false)])
  func `colours come, unless NO_COLOR is set`(
    environment: [String: String], isColoured: Bool
  ) throws {
    let terminal = try Pseudoterminal()
    let (program, visitor) = try attach(
      Self.job(.running), on: terminal, environment: environment)
    try terminal.read(until: "43 %")
    try end(visitor)
    #expect(try program.wait().status == 0)
    #expect(terminal.transcript.contains("\u{1B}[36m") == isColoured)
    #expect(terminal.transcript.contains("\u{1B}[32m✓") == isColoured)
  }

  @Test(arguments: [
    ("C", false), ("POSIX", false), ("en_GB.ISO-8859-1", false), ("C.UTF-8", true),
    ("de_DE.utf8", true), ("", true),
  ])
  func `a locale without Unicode gets bars of ASCII`(locale: String, isUnicode: Bool) throws {
    let terminal = try Pseudoterminal()
    let (program, visitor) = try attach(
      Self.job(.running), on: terminal, environment: ["LC_ALL": locale])
    try terminal.read(until: "43 %")
    try end(visitor)
    #expect(try program.wait().status == 0)
    #expect(terminal.transcript.contains("━") == isUnicode)
    #expect(terminal.transcript.contains("####") == !isUnicode)
    #expect(terminal.transcript.utf8.allSatisfy { $0 < 0x80 } == !isUnicode)
  }

  @Test func `a dumb terminal gets lines, and no escape sequence`() throws {
    let terminal = try Pseudoterminal()
    let (program, visitor) = try attach(
      Self.job(.queued), on: terminal, environment: ["TERM": "dumb"])
    try terminal.read(until: "waiting, #2: both slots are taken")
    try visitor.tell(.event(sequence: 1, at: Sample.now.wall, .launched, Self.job(.running)))
    try terminal.read(until: "running")
    try end(visitor)
    #expect(try program.wait().status == 0)
    #expect(!terminal.transcript.contains("\u{1B}"))
  }

  @Test func `Ctrl-C cancels, a second one kills, and both are said`() throws {
    let terminal = try Pseudoterminal()
    let (program, visitor) = try attach(Self.job(.running), on: terminal)
    try terminal.read(until: "43 %")
    try terminal.send("\u{3}")
    #expect(try visitor.request().request == .cancel(.one(.number(JobNumber(12))), now: false))
    try terminal.read(until: "Ctrl-C again kills it now")
    try terminal.send("\u{3}")
    #expect(try visitor.request().request == .cancel(.one(.number(JobNumber(12))), now: true))
    try terminal.read(until: "killing job 12 now")
    try end(visitor, .cancelled)
    try terminal.read(until: "■")
    #expect(try program.wait().status == 130)
  }

  @Test func `Ctrl-Z gives the shell its terminal, and fg brings the line back`() throws {
    let terminal = try Pseudoterminal()
    let shell = try sandbox.interactiveShell(on: terminal)
    try terminal.send("jobrun attach 12\n")
    let visitor = try welcome(Self.job(.stalled))
    try terminal.read(until: "[y/n]")
    try terminal.send("\u{1A}")
    try terminal.read(until: "Stopped")
    try terminal.read(until: "ready> ")
    // The shell echoes again: the terminal is as it was.
    try terminal.send("echo $((40 + 2))\n")
    try terminal.read(until: "42\r\n")
    try terminal.send("fg\n")
    try terminal.read(until: "[y/n]")
    try terminal.send("y")
    #expect(try visitor.request().request == .answer(.number(JobNumber(12)), continues: true))
    try end(visitor)
    try terminal.read(until: "✓")
    try sandbox.leave(shell, on: terminal)
  }

  @Test func `in the background it writes lines and erases nothing that is typed`() throws {
    let terminal = try Pseudoterminal()
    let shell = try sandbox.interactiveShell(on: terminal)
    try terminal.send("jobrun attach 12 &\n")
    let visitor = try welcome(Self.job(.running))
    try terminal.read(until: "12 Trip 2026: running\r\n")
    #expect(!terminal.transcript.contains(erase))
    try terminal.send("fg\n")
    try terminal.read(until: "━")
    try end(visitor)
    try terminal.read(until: "✓")
    try sandbox.leave(shell, on: terminal)
  }

  @Test func `a hang-up detaches, and the job is not cancelled`() throws {
    let terminal = try Pseudoterminal()
    let (program, visitor) = try attach(Self.job(.running), on: terminal)
    try terminal.read(until: "43 %")
    terminal.close()
    #expect(try program.wait().status == 122)
    #expect(throws: FakeRunner.Gone.self) { try visitor.request() }
  }

  @Test func `a new size is a new layout`() throws {
    let terminal = try Pseudoterminal(columns: 100)
    let (program, visitor) = try attach(
      Self.job(.running), on: terminal, environment: ["NO_COLOR": "1"])
    try terminal.read(until: "photos/img_0042.jpg")
    try terminal.resize(columns: 40)
    try terminal.read(until: "  ━━━━──────  ")
    try terminal.resize(columns: 100)
    try terminal.read(until: "photos/img_0042.jpg")
    try end(visitor)
    #expect(try program.wait().status == 0)
  }

  @Test func `the taskbar is told, and told of the end`() throws {
    let terminal = try Pseudoterminal()
    let (program, visitor) = try attach(
      Self.job(.running), on: terminal, environment: ["JOBRUN_TASKBAR": "on"])
    try terminal.read(until: "\u{1B}]9;4;1;43\u{1B}\\")
    try terminal.send("d")
    try terminal.read(until: "\u{1B}]9;4;0;0\u{1B}\\")
    #expect(try program.wait().status == 122)
    withExtendedLifetime(visitor) {}
  }

  @Test func `frames are bracketed once the terminal says that it can, and keys pass`() throws {
    let terminal = try Pseudoterminal()
    let (program, visitor) = try attach(Self.job(.running), on: terminal)
    try terminal.read(until: "\u{1B}[?2026$p")
    // A terminal may be slower than the runner: the key behind the answer tells that both were read.
    try terminal.send("\u{1B}[?2026;2$yp")
    let pause = try visitor.request().request
    #expect(pause == .pause(.one(.number(JobNumber(12))), keepSlot: false))
    var more = Self.job(.running)
    more.progress = JobProgress(completed: 9, total: 10)
    try visitor.tell(.progress(more))
    try terminal.read(until: "\u{1B}[?2026h")
    try terminal.read(until: "90 %")
    try terminal.read(until: "\u{1B}[?2026l")
    try terminal.send("d")
    try terminal.read(until: "jobrun attach 12")
    #expect(try program.wait().status == 122)
  }

  @Test func `a terminal that stops reading holds nobody up`() throws {
    let terminal = try Pseudoterminal(columns: 100)
    let (program, visitor) = try attach(Self.job(.running), on: terminal)
    try terminal.read(until: "43 %")
    // Ctrl-S: the terminal takes nothing more.
    try terminal.send("\u{13}")
    for done in 1...50 as ClosedRange<UInt64> {
      var job = Self.job(.running)
      job.progress = JobProgress(completed: done, total: 50)
      try visitor.tell(.progress(job))
    }
    try end(visitor, .failed)
    #expect(try program.wait().status == 1)
  }

  @Test(arguments: ["", "--json", "--format number,title"])
  func `who reads no more ends the list at once, also at the runner`(flags: String) throws {
    let script = "jobrun list \(flags) | head -n 1; echo \"${PIPESTATUS[0]}\" >&2"
    let shell = try sandbox.start("bash", ["-c", script])
    let visitor = try fake.visitor()
    let list = try visitor.request()
    // Its end never comes, and only a command that has left takes no more.
    #expect(throws: (any Error).self) {
      for number in 1...100_000 as ClosedRange<UInt64> {
        var job = Sample.job(.running)
        job.number = JobNumber(number)
        try visitor.tell(job: job, of: list.id)
      }
    }
    #expect(try shell.wait().errors == "0\n")
  }

  @Test func `a list that is told twice is printed once`() throws {
    let program = try sandbox.start("jobrun", ["list", "--format", "number"])
    for count in [2, 3] as [UInt64] {
      let visitor = try fake.visitor()
      let list = try visitor.request()
      for number in 1...count {
        var job = Sample.job(.running)
        job.number = JobNumber(number)
        try visitor.tell(job: job, of: list.id)
      }
      if count == 3 { try visitor.answer(list.id, .count(3)) }
      visitor.close()
    }
    #expect(try program.wait().output == "1\n2\n3\n")
  }

  @Test func `a pipe that closes early is no error`() throws {
    let script = "jobrun list --all | head -n 1; echo \"${PIPESTATUS[0]}\" >&2"
    let shell = try sandbox.start("bash", ["-c", script])
    let visitor = try fake.visitor()
    let list = try visitor.request()
    for _ in 0..<3000 { try visitor.tell(job: Sample.ended(.succeeded), of: list.id) }
    try visitor.answer(list.id, .count(3000))
    let finished = try shell.wait()
    #expect(finished.output.contains("Trip 2026"))
    #expect(finished.errors == "0\n")
  }
}

extension Sandbox {
  /// An interactive shell that has prompted once.
  func interactiveShell(on terminal: Pseudoterminal) throws -> ChildProcess {
    let shell = try start(
      "bash", ["--norc", "--noprofile", "-i"], on: terminal, environment: ["PS1": "ready> "])
    try terminal.read(until: "ready> ")
    return shell
  }

  /// Ends an interactive shell whose last program ends just now.
  ///
  /// Only at its prompt: until then the keys are the program's, which still waits for an answer of the
  /// terminal and drops all else.
  func leave(_ shell: ChildProcess, on terminal: Pseudoterminal) throws {
    try terminal.read(until: "ready> ")
    try terminal.send("exit\n")
    _ = try shell.wait()
  }
}
