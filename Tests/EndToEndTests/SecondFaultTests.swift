import Foundation
import Glibc
import JobCore
import JobStore
import JobWire
import LinuxSystem
import TestKit
import Testing

/// A damaged store is being replaced, and then that fails, too.
@Suite struct SecondFaultTests {
  private let workshop: Workshop

  init() throws {
    workshop = try Workshop(slots: 1)
    try workshop.define(
      "gated",
      "echo $JOBRUN_ATTEMPT >> \"$READY.$JOBRUN_JOB\"\nread line < \"$GATE\"\nexit 7")
  }

  /// Adds so many ended jobs that the runner cannot have all pages of the store in memory.
  private func fill(_ database: String) throws {
    let store = try Store(path: database)
    try store.transaction(.full) { () throws(StoreError) in
      for number in 1...1_500 as ClosedRange<UInt64> {
        guard let identifier = JobIdentifier("org.example.old.n\(number)") else { continue }
        let submission = Submission(
          key: "abcdefghijklmnop\(number)", identifier: identifier, speaksPage: false)
        var row = JobRecord(
          number: JobNumber(number), submission: submission, title: "Old",
          submittedMilliseconds: 1)
        row.state = .ended(.failed, nil)
        row.endedMilliseconds = WallClock.now()
        try store.insert(row, specification: [UInt8](repeating: 0x41, count: 4_096))
      }
    }
  }

  /// The log of the store cannot be moved as long as something is mounted there: the database is aside
  /// already when that shows.
  @Test func `no empty store takes its place, and the whole one does as soon as it can`() throws {
    let disk = try SmallDisk(workshop, size: "64m")
    let database = disk.home + "/state/jobrun.db"
    #expect(try disk.run("jobrun list && jobrun runner stop").status == 0)
    let filled = workshop.sandbox.path("filled.db")
    try fill(filled)
    #expect(try disk.run("cp \(filled) \"$JOBRUN_HOME/state/jobrun.db\"").status == 0)
    for _ in 1...2 { #expect(try disk.run("jobrun submit gated --detach").status == 0) }
    try workshop.awaitReady(1_501)
    let log = "\"$JOBRUN_HOME/state/jobrun.db-wal\""
    #expect(try disk.run("mount --bind \(log) \(log)").status == 0)
    do {
      let file = try File.open(database, [.read, .write])
      try file.write([UInt8](repeating: 0xA5, count: Int(try file.size()) - 4_096), at: 4_096)
    }
    #expect(try disk.run("jobrun list --all").status != 0)
    let told = disk.home + "/state/runner.log"
    try WaitFor.file(told, contains: "cannot be replaced, which is tried again in 1 s")

    let refused = try disk.run("jobrun submit gated --detach")
    #expect(refused.status != 0 && refused.errors.contains("store"), "\(refused)")
    let listed = try disk.run("jobrun list --json").output.split(separator: "\n")
    #expect(listed.count == 2, "\(listed)")
    try WaitFor.file(told, contains: "which is tried again in 4 s")
    #expect(!FileManager.default.fileExists(atPath: database))

    #expect(try disk.run("umount \(log)").status == 0)
    try WaitFor.file(told, contains: "was put in its place after all")
    let runner = try String(contentsOfFile: disk.home + "/state/runner.lock", encoding: .utf8)
    let pid = try #require(runner.split(separator: "\n").last.flatMap { Int32($0) })
    kill(pid, SIGKILL)
    try WaitFor.end(ofProcess: pid)
    let opened = try workshop.openGate()
    for number in [1_501, 1_502] {
      #expect(try disk.run("jobrun wait \(number)").status == 7)
      #expect(
        try String(contentsOfFile: workshop.sandbox.path("ready.\(number)"), encoding: .utf8)
          == "1\n")
    }
    let next = try disk.run("jobrun submit gated --detach --json").output
    #expect(try Workshop.object(next).number.value >= 1_503)
    withExtendedLifetime(opened) {}
  }

  /// A runner that died between the two renames.
  @Test func `the next runner takes the successor, and not the log of the store before`() throws {
    let database = workshop.sandbox.home + "/state/jobrun.db"
    _ = try workshop.submit("gated")
    _ = try workshop.submit("gated")
    try workshop.awaitReady(1)
    try workshop.killRunner()
    let made = try workshop.sandbox.run("sqlite3", [database, "VACUUM INTO '\(database).new'"])
    #expect(made.status == 0, "\(made)")
    // Pages of another store, by the log's own rules as good as any.
    let log = Store.writeAheadLog(of: database)
    try? FileManager.default.removeItem(atPath: log)
    let other = workshop.sandbox.path("other.db")
    let store = try Store(path: other)
    try store.transaction(.full) { () throws(StoreError) in try store.saveBootID("other") }
    try FileManager.default.copyItem(atPath: Store.writeAheadLog(of: other), toPath: log)
    try FileManager.default.removeItem(atPath: database)

    #expect(try workshop.show(1).state == .running)
    #expect(try workshop.show(2).state == .queued)
    let status = try workshop.jobrun("runner", "status").output
    #expect(!status.contains("could not be used"), "\(status)")
    let opened = try workshop.openGate()
    for number in ["1", "2"] { #expect(try workshop.jobrun("wait", number).status == 7) }
    withExtendedLifetime((opened, store)) {}
  }
}
