import Foundation
import JobCore
import JobWire
import TestKit
import Testing

@testable import jobrun

/// `jobrun watch` on a real pseudo-terminal.
struct WatchTerminalTests {
  private let sandbox: Sandbox
  private let fake: FakeRunner

  init() throws {
    sandbox = try Sandbox()
    fake = try FakeRunner(in: sandbox)
  }

  private func visitor(_ jobs: [JobStatus]) throws -> FakeRunner.Visitor {
    let visitor = try fake.visitor()
    let history = try visitor.request()
    try visitor.answer(history.id, .count(0))
    try visitor.answer(visitor.request().id, .empty)
    for job in jobs { try visitor.tell(.snapshot(job)) }
    return visitor
  }

  @Test func `off a terminal it says what to use instead`() throws {
    let finished = try sandbox.run("jobrun", ["watch"])
    #expect(finished.status == 64)
    #expect(finished.errors.contains("jobrun feed") && finished.errors.contains("jobrun list"))
    #expect(finished.output == "")
  }

  @Test func `it shows, asks before it cancels, and gives the screen back`() throws {
    let terminal = try Pseudoterminal(columns: 40, rows: 10)
    let program = try sandbox.start("jobrun", ["watch"], on: terminal)
    let visitor = try visitor([Sample.job(.running, title: "Trip")])
    try terminal.wait(untilShown: "1 running, 0 waiting")
    try terminal.send("c")
    try terminal.wait(untilShown: "cancel job 12, Trip? [y/n]")
    try terminal.send("y")
    #expect(try visitor.request().request == .cancel(.one(.number(JobNumber(12))), now: false))
    try terminal.resize(columns: 100, rows: 30)
    try terminal.read(until: "q leave")
    try terminal.send("\u{3}")
    try terminal.read(until: "\u{1B}[?1049l")
    #expect(try program.wait().status == 122)
    #expect(terminal.transcript.contains("c cancel"))
  }

  @Test func `Enter opens a job with the end of its output, in its colours, and Escape goes back`()
    throws
  {
    let terminal = try Pseudoterminal(columns: 80, rows: 24)
    let program = try sandbox.start("jobrun", ["watch"], on: terminal)
    var job = Sample.job(.running, title: "Trip")
    job.log = sandbox.path("12.log")
    try sandbox.write("first\n\u{1B}[31msecond\u{1B}[0m\u{1B}[2J\n", to: "12.log")
    let visitor = try visitor([job])
    try terminal.wait(untilShown: "1 running, 0 waiting")
    try terminal.send("\r")
    try terminal.wait(untilShown: "second")
    try terminal.wait(untilShown: "Esc back")
    try terminal.send("\u{1B}")
    try terminal.wait(untilShown: "q leave")
    // Ctrl-C leaves, and ends no job, wherever it is typed.
    try terminal.send("\r")
    try terminal.wait(untilShown: "Esc back")
    try terminal.send("\u{3}")
    #expect(try program.wait().status == 122)
    withExtendedLifetime(visitor) {}
  }

  @Test func `who is told to end while one job is open ends all of it`() throws {
    let terminal = try Pseudoterminal(columns: 80, rows: 24)
    let program = try sandbox.start("jobrun", ["watch"], on: terminal)
    let visitor = try visitor([Sample.job(.running, title: "Trip")])
    try terminal.wait(untilShown: "1 running, 0 waiting")
    try terminal.send("\n")
    try terminal.wait(untilShown: "Esc back")
    program.signal(15)
    #expect(try program.wait().status == 122)
    withExtendedLifetime(visitor) {}
  }

  @Test func `the log, the keys and the filter come and go`() throws {
    let terminal = try Pseudoterminal(columns: 80, rows: 24)
    let program = try sandbox.start("jobrun", ["watch"], on: terminal)
    var job = Sample.job(.running, title: "Trip")
    job.log = sandbox.path("12.log")
    try sandbox.write("first\nsecond\n", to: "12.log")
    let visitor = try visitor([job])
    try terminal.wait(untilShown: "1 running, 0 waiting")
    try terminal.send("l")
    try terminal.wait(untilShown: "second")
    try terminal.send("q?")
    try terminal.wait(untilShown: "any key: back")
    try terminal.send(" /trap")
    try terminal.wait(untilShown: "no job matches the filter")
    try terminal.send("\u{7F}\u{7F}ip\r")
    try terminal.wait(untilShown: "Esc all jobs")
    try terminal.send("\u{1B}")
    try terminal.wait(untilShown: "/ filter")
    try terminal.send("q")
    #expect(try program.wait().status == 0)
    withExtendedLifetime(visitor) {}
  }

  @Test func `a text in a long log is found with its lines around`() throws {
    let terminal = try Pseudoterminal(columns: 80, rows: 12)
    let program = try sandbox.start("jobrun", ["watch"], on: terminal)
    var job = Sample.job(.running, title: "Trip")
    job.log = sandbox.path("12.log")
    let numbers = (1...100_000).map { "\($0)\n" }.joined()
    try sandbox.write(numbers + "fatal: disk on fire\n" + numbers, to: "12.log")
    let visitor = try visitor([job])
    try terminal.wait(untilShown: "1 running, 0 waiting")
    try terminal.send("l")
    try terminal.wait(untilShown: "99999")
    try terminal.send("/disk on\r")
    try terminal.wait(untilShown: "fatal: disk on fire")
    let lines = terminal.screen(columns: 80).lines
    #expect(lines[0] == "Log of job 12, to 50 % of 1.2 MB  search continued from the beginning")
    #expect(lines[1...5] == ["99998", "99999", "100000", "fatal: disk on fire", "1"])
    try terminal.send("/nowhere\r")
    try terminal.wait(untilShown: "is not in this log")
    try terminal.send("\u{1B}")
    try terminal.wait(untilShown: "Esc back")
    try terminal.send("qq")
    #expect(try program.wait().status == 0)
    withExtendedLifetime(visitor) {}
  }

  @Test func `in the background it leaves the screen alone, and fg brings it`() throws {
    let terminal = try Pseudoterminal(columns: 80, rows: 24)
    let shell = try sandbox.interactiveShell(on: terminal)
    try terminal.send("jobrun watch &\n")
    let visitor = try visitor([Sample.job(.running, title: "Trip")])
    // It has nothing to say: what a person types comes back undisturbed, whatever happens meanwhile.
    try visitor.tell(.snapshot(Sample.job(.running, title: "Other")))
    try terminal.send("echo $((40 + 2))\n")
    try terminal.read(until: "42\r\n")
    #expect(!terminal.transcript.contains("\u{1B}[?1049h"))
    try terminal.send("fg\n")
    try terminal.read(until: "\u{1B}[?1049h")
    // It may have come to the front before it has heard of the job: then only what changes is written.
    try terminal.wait(untilShown: "1 running, 0 waiting")
    try terminal.send("\u{1A}")
    try terminal.read(until: "Stopped")
    #expect(terminal.transcript.contains("\u{1B}[?1049l"))
    try terminal.send("fg\n")
    try terminal.read(until: "\u{1B}[?1049h")
    try terminal.wait(untilShown: "1 running, 0 waiting")
    try terminal.send("q")
    try terminal.read(until: "\u{1B}[?1049l")
    try sandbox.leave(shell, on: terminal)
  }

  @Test func `a question is answered with y, whatever arrows say before`() throws {
    let terminal = try Pseudoterminal(columns: 80, rows: 24)
    let program = try sandbox.start("jobrun", ["watch"], on: terminal)
    var asking = Sample.job(.stalled)
    asking.prompt = JobStatus.Prompt(question: "Continue?", since: Sample.now.wall)
    let visitor = try visitor([asking])
    try terminal.wait(untilShown: "[y/n]")
    try terminal.send("\u{1B}[A\u{1B}[By")
    #expect(try visitor.request().request == .answer(.number(JobNumber(12)), continues: true))
    try terminal.send("q")
    #expect(try program.wait().status == 0)
  }
}
