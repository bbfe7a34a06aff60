import Foundation
import Glibc
import JobCore
import JobPage
import JobStore
import JobWire
import LinuxSystem
import TestKit
import Testing

/// Moments too short to be met by chance.
@Suite struct NarrowTests {
  private let workshop: Workshop
  private var state: String { workshop.sandbox.home + "/state" }

  init() throws {
    workshop = try Workshop()
  }

  private func supervisor(_ number: Int) throws -> Int32 {
    let record = RunRecord(parsing: try File.readAll("\(state)/runs/\(number).1"))
    return try #require(record.started).shim.pid
  }

  @Test func `a runner killed right after it stored the boot id has lost nothing`() throws {
    let script = "echo $JOBRUN_ATTEMPT >> \"$LEDGER.$JOBRUN_JOB\"\nread line < \"$GATE\""
    try workshop.define("frail", script)
    try workshop.define("lasting", script, #","resumable":true"#)
    let ledger = workshop.sandbox.path("ledger")
    _ = try workshop.submit("frail", environment: ["LEDGER": ledger])
    _ = try workshop.submit("lasting", environment: ["LEDGER": ledger])
    for number in [1, 2] { try WaitFor.file("\(ledger).\(number)", contains: "1\n") }
    try workshop.reboot(killing: [try supervisor(1), try supervisor(2)])

    let command = try workshop.start("list")
    try WaitFor.change(at: state + "/jobrun.db", awaited: "the boot id", within: .seconds(30)) {
      (try? workshop.storeCopy().bootID()) == Boot.identifier() ? true : nil
    }
    try workshop.killRunner()
    #expect(try command.wait().status == 0)
    let opened = try workshop.openGate()
    #expect(try workshop.jobrun("wait", "1").status == 76)
    #expect(try workshop.jobrun("wait", "2").status == 0)
    #expect(try String(contentsOfFile: ledger + ".1", encoding: .utf8) == "1\n")
    // A second attempt that was launched and had not begun is forbidden, and there is a third.
    let attempts = try String(contentsOfFile: ledger + ".2", encoding: .utf8)
    #expect(["1\n2\n", "1\n3\n"].contains(attempts), "\(attempts)")
    withExtendedLifetime(opened) {}
  }

  /// The runner stands still until the end of the job and the repeated submission wait for it both.
  @Test func `a submission repeated in the turn its job ended is answered with that job`() throws {
    #expect(try workshop.jobrun("list").status == 0)
    let runner = try RestartTests.runner(workshop)
    let client = try ProtocolTests.RawClient(workshop)
    let script =
      "echo x > \(workshop.sandbox.path("ready.1")); read line < \(workshop.gate); exit 7"
    let specification = LaunchSpecification(
      directory: Array("/".utf8), arguments: ["/bin/sh", "-c", script].map { Array($0.utf8) },
      environment: [])
    let request = SubmitRequest(
      key: RandomBytes.hexadecimal(count: 16), identifier: "io.jobrun.run.once", title: "once",
      speaksPage: false)
    func submit(_ id: UInt64) throws {
      let memory = try MemoryFile.make(specification.encoded())
      var bytes: [UInt8] = []
      RequestLine(id: id, .submit(request)).append(to: &bytes)
      try client.connection.sendAll(bytes, passing: memory.number)
    }
    try submit(1)
    #expect(try client.line().contains("\"number\":1,"))
    try workshop.awaitReady(1)
    let supervisor = try supervisor(1)
    kill(runner, SIGSTOP)
    let opened = try workshop.openGate()
    try WaitFor.end(ofProcess: supervisor)
    try submit(2)
    kill(runner, SIGCONT)
    let answer = try client.line()
    #expect(answer.contains("\"number\":1,") && answer.contains("\"duplicate\":true"), "\(answer)")
    #expect(try workshop.jobrun("wait", "1").status == 7)
    #expect(try workshop.jobrun("show", "2").status == 66)
    withExtendedLifetime(opened) {}
  }
}
