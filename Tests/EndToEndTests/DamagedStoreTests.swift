import Foundation
import Glibc
import JobCore
import JobStore
import JobWire
import LinuxSystem
import TestKit
import Testing

/// Damage that is met while the runner works, and times that make no sense.
@Suite struct DamagedStoreTests {
  private let workshop: Workshop
  private var state: String { workshop.sandbox.home + "/state" }
  private var database: String { state + "/jobrun.db" }

  init() throws {
    workshop = try Workshop(slots: 1)
    try workshop.define(
      "gated",
      "echo $JOBRUN_ATTEMPT >> \"$READY.$JOBRUN_JOB\"\nread line < \"$GATE\"\nexit 7")
  }

  /// Ended jobs from 1 on, a page for each and more.
  private func fill(_ count: UInt64, endedAt time: (UInt64) -> Int64) throws {
    #expect(try workshop.jobrun("list").status == 0)
    try workshop.killRunner()
    let store = try Store(path: database)
    try store.transaction(.full) { () throws(StoreError) in
      for number in 1...count {
        guard let identifier = JobIdentifier("org.example.old.n\(number)") else { continue }
        let submission = Submission(
          key: "abcdefghijklmnop\(number)", identifier: identifier, speaksPage: false)
        var row = JobRecord(
          number: JobNumber(number), submission: submission, title: "Old \(number)",
          submittedMilliseconds: 1)
        (row.state, row.endedMilliseconds) = (.ended(.failed, nil), time(number))
        try store.insert(row, specification: [UInt8](repeating: 0x41, count: 4_096))
      }
    }
  }

  private func listed() throws -> Int {
    try workshop.jobrun("list", "--all", "--json").output.split(separator: "\n").count
  }

  /// Overwrites all of the database but its first page, as a dying disk might.
  private func damage() throws {
    let file = try File.open(database, [.read, .write])
    let size = Int(try file.size())
    try file.write([UInt8](repeating: 0xA5, count: size - 4096), at: 4096)
  }

  @Test func `what waits is kept when the first page is damaged, and the next command says so`()
    throws
  {
    #expect(try workshop.jobrun("run", "--detach", "--hold", "--", "echo", "kept").status == 0)
    #expect(
      try workshop.jobrun("each", "--detach", "--", "test", "{}", ":::", "1", "2").status == 0)
    #expect(try workshop.jobrun("wait", "2", "3").status == 0)
    #expect(try workshop.jobrun("runner", "stop").status == 0)
    try File.open(database, [.read, .write]).write([UInt8](repeating: 0xA5, count: 4096), at: 0)
    let listed = try workshop.jobrun("list")
    #expect(listed.output.hasPrefix("1 "), "\(listed.output)")
    #expect(listed.errors.contains("1 could be read and waits again"), "\(listed.errors)")
    #expect(try workshop.jobrun("release", "1").status == 0)
    #expect(try workshop.waitForEnd(1).outcome == .succeeded)
    #expect(try workshop.jobrun("log", "1").output == "kept\n")
    #expect(try !workshop.jobrun("list").errors.contains("waits again"))
  }

  @Test func `what runs elsewhere is found there again after the store was written anew`() throws {
    try Data(#"{"slots": 1, "engines": {"tower": {"kind": "host"}}}"#.utf8)
      .write(to: URL(fileURLWithPath: workshop.sandbox.home + "/config.json"))
    try fill(1_500) { _ in WallClock.now() }
    _ = try workshop.submit("gated", "--on", "tower")
    try workshop.awaitReady(1_501)
    try workshop.feed(until: "started", of: 1_501)
    try damage()
    #expect(try workshop.jobrun("list", "--all").status == 0)
    #expect(try listed() == 1)
    try workshop.killRunner()
    let opened = try workshop.openGate()
    #expect(try workshop.jobrun("wait", "1501").status == 7)
    #expect(
      try String(contentsOfFile: workshop.sandbox.path("ready.1501"), encoding: .utf8) == "1\n")
    withExtendedLifetime(opened) {}
  }

  @Test(arguments: [["list", "--all"], ["history", "--limit", "0"], ["show", "7"], ["submit"]])
  func `damage that is met while jobs run costs the history and no job`(
    command: [String]
  ) throws {
    try fill(1_500) { _ in WallClock.now() }
    _ = try workshop.submit("gated")
    _ = try workshop.submit("gated")
    try workshop.awaitReady(1_501)
    let runner = try RestartTests.runner(workshop)
    try damage()
    if command == ["submit"] {
      // Submissions are served, before or after another client has hit the damage.
      #expect(try workshop.submit("gated").number.value == 1_503)
      #expect(try workshop.jobrun("list", "--all").status == 0)
    } else {
      let told = try workshop.sandbox.run("jobrun", command)
      #expect(told.status == (command[0] == "show" ? 66 : 0), "\(told)")
    }
    #expect(try RestartTests.runner(workshop) == runner)
    let status = try workshop.jobrun("runner", "status").output
    #expect(status.contains("moved aside") && status.contains("was taken over"), "\(status)")
    let names = try FileManager.default.contentsOfDirectory(atPath: state)
    #expect(names.count { $0.hasPrefix("jobrun.db.broken-") } == 1, "\(names)")

    #expect(try workshop.show(1_501).state == .running)
    #expect(try workshop.show(1_502).state == .queued)
    try workshop.killRunner()
    let opened = try workshop.openGate()
    for number in [1_501, 1_502] {
      #expect(try workshop.jobrun("wait", "\(number)").status == 7)
      let runs = try String(
        contentsOfFile: workshop.sandbox.path("ready.\(number)"), encoding: .utf8)
      #expect(runs == "1\n")
    }
    #expect(try workshop.submit("gated").number.value >= 1_503)
    withExtendedLifetime(opened) {}
  }

  @Test func `a clock that is years ahead costs a tenth of the history at a start`() throws {
    try fill(200) { 1_000_000 + Int64($0) }
    #expect(try listed() == 180)
    try workshop.define("quick", "exit 0")
    for _ in 1...3 { _ = try workshop.submit("quick") }
    #expect(try workshop.jobrun("wait", "203").status == 0)
    try workshop.killRunner()
    #expect(try listed() == 164, "183 were left, and a tenth of them goes")
  }

  @Test(arguments: ["jobrun.db", "jobrun.db-wal"])
  func `a folder or a pipe in place of a file is moved aside`(name: String) throws {
    let path = "\(state)/\(name)"
    try FileManager.default.createDirectory(
      atPath: state, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    for isFolder in [true, false] {
      if isFolder {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      } else {
        #expect(unsafe mkfifo(path, 0o600) == 0)
      }
      #expect(try workshop.jobrun("list").status == 0)
      #expect(try workshop.jobrun("runner", "status").output.contains("was not a file"))
      try workshop.killRunner()
      for file in Store.files(of: database) { try? FileManager.default.removeItem(atPath: file) }
    }
  }

  @Test func `an index of the log from an earlier version can be cut short without harm`() throws {
    #expect(try workshop.jobrun("list").status == 0)
    try workshop.killRunner()
    try Data(repeating: 1, count: 32_768).write(to: URL(fileURLWithPath: database + "-shm"))
    _ = try workshop.submit("gated")
    try workshop.awaitReady(1)
    #expect(!FileManager.default.fileExists(atPath: database + "-shm"))
  }
}
