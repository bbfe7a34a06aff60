import Foundation
import JobCore
import JobWire
import TestKit
import Testing

/// On-end commands: run once, regardless of the runner's fate.
@Suite struct EndCommandTests {
  private let workshop: Workshop

  init() throws {
    workshop = try Workshop()
  }

  private func settings(_ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: workshop.sandbox.home + "/config.json"))
  }

  /// Waits until the command of this number, which has begun, is over.
  private func awaitEnd(of command: Int, job number: Int) throws {
    try WaitFor.noFile("\(workshop.sandbox.home)/state/ends/\(number).\(command)")
  }

  private func told(_ name: String) throws -> [String] {
    let bytes = FileManager.default.contents(atPath: workshop.sandbox.path(name)) ?? Data()
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Writes the job's result to the file `told`.
  private static let report = """
    echo "$JOBRUN_JOB|$JOBRUN_TITLE|$JOBRUN_OUTCOME|$JOBRUN_EXIT_CODE|$JOBRUN_SIGNAL|\
    $JOBRUN_STOP_REASON|$JOBRUN_ATTEMPT|$MINE|${JOBRUN_PAGE:-none}" >> told; echo "log: $JOBRUN_LOG"
    """

  @Test func `it knows how the job ended, and is in its folder and environment`() throws {
    for (number, script) in [(1, "exit 0"), (2, "exit 3"), (3, "kill -9 $$")] {
      try workshop.jobrun(
        "run", "--title", "Job \(number)", "--on-end", Self.report, "--", "sh", "-c", script,
        environment: ["MINE": "mine", "JOBRUN_PAGE": "/nonexistent"])
      try WaitFor.file(workshop.sandbox.path("told"), contains: "\(number)|Job")
      try awaitEnd(of: number, job: number)
    }
    #expect(
      try told("told") == [
        "1|Job 1|succeeded|0|||1|mine|none", "2|Job 2|failed|3|||1|mine|none",
        "3|Job 3|failed||9||1|mine|none",
      ])
    let log = try workshop.jobrun("log", "1").output
    #expect(log == "log: \(workshop.sandbox.home)/state/logs/1.log\n")
    #expect(try workshop.show(1).terms.onEnd == Self.report)
    #expect(try workshop.show(1).warning == nil)
  }

  @Test func `it follows a cancelled job, also one that never began`() throws {
    try workshop.defineGated("gated")
    for _ in 1...3 { _ = try workshop.submit("gated", "--on-end", Self.report) }
    try workshop.awaitReady(1)
    try workshop.jobrun("cancel", "3")
    try WaitFor.file(workshop.sandbox.path("told"), contains: "3|gated|cancelled|||user|")
    try workshop.jobrun("cancel", "1", "--now")
    try WaitFor.file(workshop.sandbox.path("told"), contains: "1|gated|cancelled||")
  }

  @Test func `its failure is a warning, and what it printed is in the log`() throws {
    try workshop.jobrun("run", "--on-end", "echo trouble; exit 4", "--", "true")
    let log = try WaitFor.file(
      "\(workshop.sandbox.home)/state/logs/1.log", contains: "exit code 4\n")
    #expect(log == "trouble\njobrun: its on-end command ended with exit code 4\n")
    let sentence = "its on-end command ended with exit code 4"
    #expect(try workshop.show(1).warning == sentence)
    #expect(try workshop.show(1).outcome == .succeeded)
    let status = try workshop.jobrun("runner", "status").output
    #expect(status.contains("job 1: \(sentence)"), "\(status)")
  }

  @Test func `past its limit it is killed with all that it has started`() throws {
    try settings(#"{"onEnd": {"limit": "200ms"}}"#)
    try workshop.jobrun("run", "--on-end", "sleep 1000 & sleep 1000", "--", "true")
    try WaitFor.file(
      "\(workshop.sandbox.home)/state/logs/1.log",
      contains: "was ended by SIGKILL: it was killed at its limit\n")
    #expect(workshop.strays() == [])
  }

  @Test func `one for all jobs follows those that were long in coming`() throws {
    try settings(#"{"onEnd": {"command": "echo all $JOBRUN_JOB >> told", "after": "1h"}}"#)
    try workshop.jobrun("run", "--", "true")
    try settings(#"{"onEnd": {"command": "echo all $JOBRUN_JOB >> told", "after": "0s"}}"#)
    try workshop.jobrun("runner", "restart")
    try workshop.jobrun("run", "--on-end", "echo own $JOBRUN_JOB >> told", "--", "false")
    try WaitFor.file(workshop.sandbox.path("told"), contains: "own 2\n")
    try WaitFor.file(workshop.sandbox.path("told"), contains: "all 2\n")
    #expect(try told("told").sorted() == ["all 2", "own 2"])
  }

  @Test func `a redo keeps it, and a success is not done again while it runs`() throws {
    try workshop.jobrun("run", "--on-end", "echo $JOBRUN_ATTEMPT >> told", "--", "false")
    try WaitFor.file(workshop.sandbox.path("told"), contains: "1\n")
    try awaitEnd(of: 1, job: 1)
    #expect(try workshop.jobrun("redo", "1").status == 0)
    try WaitFor.file(workshop.sandbox.path("told"), contains: "2\n")
    try workshop.jobrun(
      "run", "--on-end", "echo runs >> told; read line < \"$GATE\"", "--", "true",
      environment: ["GATE": workshop.gate])
    try WaitFor.file(workshop.sandbox.path("told"), contains: "runs\n")
    let redone = try workshop.jobrun("redo", "2")
    #expect(redone.status == 73)
    #expect(redone.errors.contains("the on-end command of job 2 is still running"))
    let forgotten = try workshop.jobrun("forget", "2")
    #expect(forgotten.status == 64)
    #expect(forgotten.errors.contains("the on-end command of job 2 is still running"))
    let gate = try workshop.openGate()
    try awaitEnd(of: 3, job: 2)
    gate.signal(9)
    #expect(try workshop.jobrun("forget", "2").status == 0)
  }

  @Test func `what was due when the runner was killed is run by the next, each once`() throws {
    // Four run at the same time, so that two are due and not begun.
    let command = "echo $JOBRUN_JOB >> told; read line < \"$GATE\""
    for number in 1...6 {
      try workshop.jobrun(
        "run", "--on-end", command, "--", "true", environment: ["GATE": workshop.gate])
      if number <= 4 { try WaitFor.file(workshop.sandbox.path("told"), contains: "\(number)\n") }
    }
    let runner = try #require(workshop.sandbox.runners.first)
    kill(runner, SIGKILL)
    try WaitFor.end(ofProcess: runner)
    #expect(try told("told") == ["1", "2", "3", "4"])
    #expect(try workshop.jobrun("list").status == 0)
    let gate = try workshop.openGate()
    // They begin when there is room for them.
    for number in 5...6 {
      try WaitFor.file(workshop.sandbox.path("told"), contains: "\(number)\n")
    }
    for number in 1...6 { try awaitEnd(of: number, job: number) }
    gate.signal(9)
    #expect(try told("told").sorted() == ["1", "2", "3", "4", "5", "6"])
    for number: UInt64 in 1...6 { #expect(try workshop.show(number).warning == nil) }
  }

  @Test func `a runner that is killed again and again runs each once`() throws {
    for number in 1...8 {
      try workshop.jobrun("run", "--on-end", "echo $JOBRUN_JOB >> told", "--", "true")
      for runner in workshop.sandbox.runners {
        kill(runner, SIGKILL)
        try WaitFor.end(ofProcess: runner)
      }
      #expect(try workshop.jobrun("list").status == 0)
      try awaitEnd(of: number, job: number)
    }
    #expect(try told("told") == (1...8).map(String.init))
  }

  @Test func `one that was cut short is not begun again`() throws {
    try workshop.jobrun(
      "run", "--on-end", "echo once >> told; read line < \"$GATE\"", "--", "true",
      environment: ["GATE": workshop.gate])
    try WaitFor.file(workshop.sandbox.path("told"), contains: "once\n")
    let shim = try #require(workshop.sandbox.processes(running: "sh -c echo once").first)
    let status = try String(contentsOfFile: "/proc/\(shim)/stat", encoding: .utf8)
    let parent = try #require(status.split(separator: " ").dropFirst(3).first.flatMap { Int32($0) })
    kill(parent, SIGKILL)
    try WaitFor.file(
      "\(workshop.sandbox.home)/state/logs/1.log", contains: "its on-end command was cut short\n")
    #expect(try told("told") == ["once"])
  }

  @Test(arguments: [
    ("", "--on-end is empty; write a command for sh"),
    (String(repeating: "x", count: 2049), "--on-end has 2049 bytes; 2048 is the limit"),
  ])
  func `what cannot be run is refused at once`(command: String, sentence: String) throws {
    let refused = try workshop.jobrun("run", "--on-end", command, "--", "true")
    #expect(refused.status == 64)
    #expect(refused.errors.contains(sentence), "\(refused.errors)")
  }
}
