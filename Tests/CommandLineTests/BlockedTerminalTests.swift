import Foundation
import JobCore
import JobWire
import TestKit
import Testing

@testable import jobrun

/// Outputs of jobs on a terminal that is blocked for a while: by Ctrl-S, a stopped pane, a slow connection.
struct BlockedTerminalTests {
  private static let lines = 60_000

  private let sandbox: Sandbox
  private let fake: FakeRunner
  private let terminal: Pseudoterminal

  init() throws {
    sandbox = try Sandbox()
    fake = try FakeRunner(in: sandbox)
    terminal = try Pseudoterminal(columns: 100)
    try sandbox.write((1...Self.lines).map { "\($0)\n" }.joined(), to: "12.log")
  }

  private func follow(_ words: [String]) throws -> (ChildProcess, FakeRunner.Visitor) {
    let program = try sandbox.start("jobrun", words, on: terminal)
    var job = Sample.job(.running, title: "Trip")
    job.log = sandbox.path("12.log")
    let visitor = try fake.visitor()
    try visitor.answer(visitor.request().id, .job(job, message: nil))
    try visitor.answer(visitor.request().id, .empty)
    return (program, visitor)
  }

  private func end(_ visitor: FakeRunner.Visitor) throws {
    try visitor.tell(
      .event(sequence: 1, at: Sample.now.wall, .ended, Sample.ended(.succeeded, exitCode: nil)))
  }

  /// The lines of the log on the terminal, without what was drawn below them.
  private var shown: [Int] {
    terminal.transcript.split(separator: "\r\n").compactMap {
      Int($0.split(separator: "J").last.map(String.init) ?? "")
    }
  }

  @Test(arguments: [
    ["attach", "--follow", "12"], ["attach", "--follow", "--plain", "12"], ["log", "-f", "12"],
  ])
  func `it gets all of the output in the end`(words: [String]) throws {
    let (program, visitor) = try follow(words)
    // Nothing is read until the job has ended.
    try end(visitor)
    try terminal.read(until: "\(Self.lines)\r\n")
    #expect(try program.wait().status == 0)
    #expect(shown == Array(1...Self.lines))
  }

  @Test func `a file gets the output although the terminal is blocked`() throws {
    let program = try sandbox.start(
      "bash", ["-c", "jobrun attach --follow 12 > out"], on: terminal)
    var job = Sample.job(.running, title: "Trip")
    job.log = sandbox.path("new.log")
    let visitor = try fake.visitor()
    try visitor.answer(visitor.request().id, .job(job, message: nil))
    try visitor.answer(visitor.request().id, .empty)
    try terminal.read(until: "Trip")
    // Ctrl-S: the line with the progress waits.
    try terminal.send("\u{13}")
    for done in 1...50 as ClosedRange<UInt64> {
      job.progress = JobProgress(completed: done, total: 50)
      try visitor.tell(.progress(job))
    }
    try sandbox.write("new\n", to: "new.log")
    try WaitFor.answer("the output in the file") {
      try String(contentsOfFile: sandbox.path("out"), encoding: .utf8) == "new\n"
    }
    try end(visitor)
    #expect(try program.wait().status == 0)
  }

  @Test(arguments: [["attach", "--follow", "12"], ["log", "-f", "12"]])
  func `Ctrl-C is heard all the same`(words: [String]) throws {
    let (program, visitor) = try follow(words)
    // Much more is in the log than the terminal has room for.
    try terminal.read(until: "1\r\n")
    try terminal.send("\u{3}")
    if words[0] == "attach" {
      #expect(
        try visitor.request().request == .cancel(.one(.number(JobNumber(12))), now: false))
      // d leaves without the rest, whether the end has arrived by then or not.
      try end(visitor)
      try terminal.send("d")
      #expect([0, 122].contains(try program.wait().status))
    } else {
      #expect(try program.wait().status == 122)
    }
  }
}
