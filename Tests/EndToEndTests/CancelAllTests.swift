import Foundation
import JobCore
import JobPage
import JobWire
import LinuxSystem
import TestKit
import Testing

/// `cancel --all` while much waits.
@Suite struct CancelAllTests {
  private let workshop: Workshop
  /// A line for each job that has run.
  private var ledger: String { workshop.sandbox.path("ran") }

  init() throws {
    workshop = try Workshop(slots: 2)
    #expect(try workshop.jobrun("list").status == 0)
  }

  @Test func `of a thousand jobs that wait behind two none runs`() throws {
    for number in 1...2 {
      try workshop.jobrun(
        "run", "--detach", "--", "sh", "-c",
        "echo $JOBRUN_JOB >> \(ledger); echo x > \"$READY.\(number)\"; exec sleep 1000")
      try workshop.awaitReady(UInt64(number))
    }
    try submit(1_000, "echo $JOBRUN_JOB >> \(ledger)")
    let finished = try workshop.jobrun("cancel", "--all", within: .seconds(300))
    #expect(finished.status == 0)
    let sentences = finished.errors.split(separator: "\n")
    #expect(sentences.count == 1_002)
    #expect(
      sentences.prefix(3) == ["job 1 is stopping", "job 2 is stopping", "job 3 is cancelled"])
    #expect(sentences.last == "job 1002 is cancelled")
    #expect(try workshop.jobrun("wait", "1", "2").status == 130)
    let ran = try String(contentsOfFile: ledger, encoding: .utf8).split(separator: "\n").sorted()
    #expect(ran == ["1", "2"])
    #expect(try workshop.jobrun("list", "--json").output == "")
    #expect(try workshop.show(700).outcome == .cancelled)
    #expect(
      try workshop.jobrun("cancel", "--all").errors
        == "no jobs are running or waiting; there is nothing to cancel\n")
  }

  @Test
  func `what came after a running job is cancelled and not refused, and json has an object each`()
    throws
  {
    try workshop.jobrun(
      "run", "--detach", "--", "sh", "-c", "echo x > \"$READY.1\"; exec sleep 1000")
    try workshop.awaitReady(1)
    try workshop.jobrun("run", "--detach", "--after", "1", "--", "true")
    try workshop.jobrun("run", "--detach", "--after", "2", "--", "true")
    let told = try workshop.jobrun("cancel", "--all", "--now", "--json").output
    let jobs = try told.split(separator: "\n").map { try JobStatus(json: Array($0.utf8)[...]) }
    #expect(jobs.map(\.number.value) == [1, 2, 3])
    #expect(jobs.dropFirst().allSatisfy { $0.outcome == .cancelled })
    #expect(try workshop.waitForEnd(1).outcome == .cancelled)
  }

  @Test func `each of more jobs than the history keeps is told of`() throws {
    try Data(#"{"slots": 1, "historyLimit": {"count": 20}}"#.utf8)
      .write(to: URL(fileURLWithPath: workshop.sandbox.home + "/config.json"))
    #expect(try workshop.jobrun("runner", "restart").status == 0)
    try workshop.jobrun(
      "run", "--detach", "--", "sh", "-c", "echo x > \"$READY.1\"; exec sleep 1000")
    try workshop.awaitReady(1)
    try submit(300, "echo $JOBRUN_JOB >> \(ledger)")
    let sentences = try workshop.jobrun("cancel", "--all").errors.split(separator: "\n")
    #expect(
      sentences == ["job 1 is stopping"] + (2...301).map { "job \($0) is cancelled" })
    #expect(try workshop.jobrun("wait", "1").status == 130)
    #expect(!FileManager.default.fileExists(atPath: ledger))
  }

  /// Many submissions on one connection.
  private func submit(_ count: Int, _ script: String) throws {
    let client = try ProtocolTests.RawClient(workshop)
    let specification = LaunchSpecification(
      directory: Array("/".utf8), arguments: ["/bin/sh", "-c", script].map { Array($0.utf8) },
      environment: [])
    let memory = try MemoryFile.make(specification.encoded())
    for id in 1...count {
      let key = RandomBytes.hexadecimal(count: 16)
      let request = SubmitRequest(
        key: key, identifier: "io.jobrun.run.n\(key)", title: "n", speaksPage: false)
      var bytes: [UInt8] = []
      RequestLine(id: UInt64(id), .submit(request)).append(to: &bytes)
      try client.connection.sendAll(bytes, passing: memory.number)
      #expect(try client.line().contains("\"ok\""))
    }
  }
}
