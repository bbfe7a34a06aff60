import Foundation
import Glibc
import JobCore
import JobWire
import LinuxSystem
import TestKit
import Testing

/// Pauses that the store does not know of.
@Suite struct UnstoredPauseTests {
  private static let script = "echo x > \"$READY.$JOBRUN_JOB\"\nread line < \"$GATE\"\nexit 7"

  @Test(arguments: [true, false])
  func `what could not be stored is known to the next runner`(isPause: Bool) throws {
    let workshop = try Workshop()
    let disk = try SmallDisk(workshop, size: "4m")
    try workshop.define("gated", Self.script)
    #expect(try disk.run("jobrun submit gated --detach").status == 0)
    try workshop.awaitReady(1)
    if !isPause { #expect(try disk.run("jobrun pause 1").status == 0) }
    let lock = try String(contentsOfFile: disk.home + "/state/runner.lock", encoding: .utf8)
    let runner = try #require(lock.split(separator: "\n").last.flatMap { Int32($0) })
    let client = ProtocolTests.RawClient(
      try UnixConnection(connectingTo: disk.home + "/run/socket"))
    try disk.fill()
    let job = JobReference.number(JobNumber(1))
    try client.send(
      RequestLine(
        id: 1,
        isPause
          ? .pause(.one(job), keepSlot: true, length: .minutes(10)) : .resume(.one(job))))
    #expect(try client.line().contains("\"ok\""))
    kill(runner, SIGKILL)
    try WaitFor.end(ofProcess: runner)
    try disk.empty()
    let found = try Workshop.object(try disk.run("jobrun show 1 --json").output)
    #expect(found.state == (isPause ? .paused : .running))
    #expect((found.paused?.until != nil) == isPause)
    if isPause { #expect(try disk.run("jobrun resume 1").status == 0) }
    let opened = try workshop.openGate()
    #expect(try disk.run("jobrun wait 1").status == 7)
    withExtendedLifetime(opened) {}
  }

  /// The pause is longer than the limit, which is far longer than all else here takes.
  @Test func `a pause whose end could not be stored counts for no limit`() throws {
    let workshop = try Workshop()
    let disk = try SmallDisk(workshop, size: "4m")
    try workshop.define("gated", Self.script, #","limit":"20s""#)
    #expect(try disk.run("jobrun submit gated --detach").status == 0)
    try workshop.awaitReady(1)
    #expect(try disk.run("jobrun pause 1").status == 0)
    #expect(try disk.run("jobrun run -- sleep 21").status == 0)
    let lock = try String(contentsOfFile: disk.home + "/state/runner.lock", encoding: .utf8)
    let runner = try #require(lock.split(separator: "\n").last.flatMap { Int32($0) })
    let client = ProtocolTests.RawClient(
      try UnixConnection(connectingTo: disk.home + "/run/socket"))
    try disk.fill()
    try client.send(RequestLine(id: 1, .resume(.one(.number(JobNumber(1))))))
    #expect(try client.line().contains("\"ok\""))
    kill(runner, SIGKILL)
    try WaitFor.end(ofProcess: runner)
    try disk.empty()
    let found = try Workshop.object(try disk.run("jobrun show 1 --json").output)
    #expect(found.state == .running && found.paused?.seconds ?? 0 >= 21, "\(found)")
    let opened = try workshop.openGate()
    #expect(try disk.run("jobrun wait 1").status == 7)
    withExtendedLifetime(opened) {}
  }

  @Test func `a job whose store is lost stays paused`() throws {
    let workshop = try Workshop()
    try workshop.define("gated", Self.script)
    _ = try workshop.submit("gated")
    try workshop.awaitReady(1)
    #expect(try workshop.jobrun("pause", "1").status == 0)
    try workshop.killRunner()
    let store = workshop.sandbox.home + "/state/jobrun.db"
    for ending in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: store + ending) }
    try Data(repeating: 0x5A, count: 10_000).write(to: URL(fileURLWithPath: store))
    #expect(try workshop.show(1).state == .paused)
    #expect(try workshop.jobrun("resume", "1").status == 0)
    let opened = try workshop.openGate()
    #expect(try workshop.jobrun("wait", "1").status == 7)
    withExtendedLifetime(opened) {}
  }
}
