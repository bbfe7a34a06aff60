import Foundation
import Glibc
import JobCore
import JobPage
import JobWire
import LinuxSystem
import TestKit
import Testing

/// The store is gone while jobs run: their launch orders restore them.
@Suite struct LostStoreTests {
  private let workshop: Workshop
  private var state: String { workshop.sandbox.home + "/state" }

  init() throws {
    workshop = try Workshop(slots: 1)
    try workshop.define(
      "gated", "echo x > \"$READY.$JOBRUN_JOB\"\nread line < \"$GATE\"\nexit 7",
      #","title":"Trip","grace":"10m","resumable":true"#)
  }

  /// Kills the runner and leaves rubbish where the store was.
  private func loseStore(_ content: Data = Data(repeating: 0x5A, count: 10_000)) throws {
    try workshop.killRunner()
    for ending in ["-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: "\(state)/jobrun.db\(ending)")
    }
    try content.write(to: URL(fileURLWithPath: state + "/jobrun.db"))
  }

  @Test func `a running job is listed, attachable, and gets its true end`() throws {
    let before = try workshop.submit("gated")
    try workshop.awaitReady(1)
    try loseStore()
    let job = try Workshop.object(try workshop.jobrun("list", "--json").output)
    #expect(job.number == before.number && job.identifier == before.identifier)
    #expect(job.title == "Trip" && job.definition == "gated" && job.state == .running)
    #expect(job.submitted == before.submitted && job.attempt == 1)
    let status = try workshop.jobrun("runner", "status").output
    #expect(status.contains("moved aside") && status.contains("rebuilt from the run records: 1"))

    let attached = try workshop.start("attach", "1")
    try attached.wait(for: "running", on: .errors)
    let opened = try workshop.openGate()
    #expect(try attached.wait().status == 7)
    let ended = try workshop.show(1)
    #expect(ended.outcome == .failed && ended.exitCode == 7)
    // Its specification was restored, too.
    #expect(try workshop.jobrun("redo", "1").status == 0)
    #expect(try workshop.jobrun("wait", "1").status == 7)
    #expect(try workshop.show(1).attempt == 2)
    withExtendedLifetime(opened) {}
  }

  @Test func `a running job can be cancelled`() throws {
    try workshop.define("plain", "echo x > \"$READY.1\"\nread line < \"$GATE\"", #","grace":"1ms""#)
    _ = try workshop.submit("plain")
    try workshop.awaitReady(1)
    try loseStore()
    #expect(try workshop.jobrun("cancel", "1").status == 0)
    #expect(try workshop.jobrun("wait", "1").status == 130)
    #expect(workshop.sandbox.processes(running: "jobs/plain") == [])
  }

  @Test func `a stop that was in progress goes on with its reason`() throws {
    _ = try workshop.submit("gated")
    try workshop.awaitReady(1)
    #expect(try workshop.jobrun("cancel", "1").status == 0)
    // The next request is answered after the job was told to stop.
    #expect(try workshop.show(1).state == .stopping)
    try loseStore()
    let job = try workshop.show(1)
    #expect(job.state == .stopping && job.stopReason?.code == .user)
  }

  @Test func `what ended meanwhile gets its true end, and what waited is said to be lost`() throws {
    _ = try workshop.submit("gated")
    _ = try workshop.submit("gated")
    try workshop.awaitReady(1)
    try workshop.killRunner()
    let opened = try workshop.openGate()
    try WaitFor.file("\(state)/runs/1.1", contains: "ended exit 7")
    try Data("SQLite format 3\0 and then nothing that makes sense".utf8)
      .write(to: URL(fileURLWithPath: state + "/jobrun.db"))
    for ending in ["-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: "\(state)/jobrun.db\(ending)")
    }
    #expect(try workshop.jobrun("wait", "1").status == 7)
    #expect(try workshop.show(1).attempt == 1)
    #expect(try workshop.jobrun("show", "2").status == 66)
    #expect(try workshop.jobrun("runner", "status").output.contains("the jobs that waited"))
    #expect(try File.names(in: "\(state)/runs") == [])
    withExtendedLifetime(opened) {}
  }

  @Test func `a launch that never began is made again as the next attempt`() throws {
    _ = try workshop.submit("gated")
    try workshop.awaitReady(1)
    try workshop.killRunner()
    let record = RunRecord(parsing: try File.readAll("\(state)/runs/1.1"))
    let started = try #require(record.started)
    kill(started.shim.pid, SIGKILL)
    for process in [started.shim, started.worker] { try WaitFor.end(ofProcess: process.pid) }
    try Data().write(to: URL(fileURLWithPath: state + "/runs/1.1"))
    try workshop.undoStart(ofPage: 1)
    try FileManager.default.removeItem(atPath: workshop.sandbox.path("ready.1"))
    for ending in ["", "-wal"] {
      try FileManager.default.removeItem(atPath: "\(state)/jobrun.db\(ending)")
    }
    #expect(try workshop.jobrun("list").status == 0)
    try workshop.awaitReady(1)
    let opened = try workshop.openGate()
    #expect(try workshop.jobrun("wait", "1").status == 7)
    #expect(try workshop.show(1).attempt == 2)
    withExtendedLifetime(opened) {}
  }

  @Test func `what waits in a damaged store waits again, and no number is given twice`() throws {
    for _ in 1...3 { _ = try workshop.submit("gated") }
    try workshop.awaitReady(1)
    try workshop.killRunner()
    // The events are unreadable: their table begins at an index's page.
    try RecoveryTests.store(
      workshop,
      """
      PRAGMA wal_checkpoint(TRUNCATE); PRAGMA writable_schema = ON;
      UPDATE sqlite_master SET rootpage = (
        SELECT rootpage FROM sqlite_master WHERE type = 'index' AND tbl_name = 'jobs' LIMIT 1)
        WHERE name = 'events'
      """)
    #expect(try workshop.show(1).state == .running)
    for number in UInt64(2)...3 { #expect(try workshop.show(number).state == .queued) }
    let status = try workshop.jobrun("runner", "status").output
    #expect(status.contains("2 could be read and wait again"), "\(status)")
    #expect(try workshop.submit("gated").number > JobNumber(3))
    let opened = try workshop.openGate()
    #expect(try workshop.jobrun("wait", "1", "2", "3").status == 7)
    withExtendedLifetime(opened) {}
  }

  @Test func `a log of the store that is gone is told of, and no number is given twice`() throws {
    for _ in 1...3 { _ = try workshop.submit("gated", "--hold") }
    try workshop.killRunner()
    try File.remove(state + "/jobrun.db-wal")
    #expect(try workshop.jobrun("list").status == 0)
    let notes = try workshop.jobrun("runner", "status").output
    #expect(notes.contains("is gone, and with it what was stored last"), "\(notes)")
    try workshop.killRunner()
    #expect(try workshop.submit("gated").number > JobNumber(3))
    // A store that is closed cleanly removes its log.
    #expect(try workshop.jobrun("cancel", "--all", "--now").status == 0)
    #expect(try workshop.jobrun("runner", "stop").status == 0)
    #expect(try workshop.jobrun("list").status == 0)
    #expect(!(try workshop.jobrun("runner", "status").output.contains("is gone")))
  }

  @Test func `damage in the middle of the store is found, too`() throws {
    _ = try workshop.submit("gated")
    try workshop.awaitReady(1)
    try workshop.killRunner()
    try RecoveryTests.store(workshop, "PRAGMA wal_checkpoint(TRUNCATE)")
    // All but the schema, on the first page, is overwritten.
    do {
      let file = try File.open("\(state)/jobrun.db", [.read, .write])
      let size = Int(try file.size())
      #expect(size > 4096)
      try file.write([UInt8](repeating: 0xA5, count: size - 4096), at: 4096)
    }
    #expect(try workshop.show(1).state == .running)
    #expect(try workshop.jobrun("runner", "status").output.contains("moved aside"))
  }
}
