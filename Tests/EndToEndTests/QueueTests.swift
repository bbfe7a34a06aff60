import Foundation
import JobCore
import JobWire
import TestKit
import Testing

/// The display of jobs while others start and end.
@Suite struct QueueTests {
  @Test func `a waiting job names those who hold the slots now`() throws {
    let workshop = try Workshop(slots: 1)
    try workshop.defineGated("gated", ", \"grace\": \"0s\"")
    for _ in 1...3 { _ = try workshop.submit("gated") }
    try workshop.awaitReady(1)
    #expect(try workshop.show(3).pendingReason?.message.contains("job 1") == true)
    try workshop.jobrun("cancel", "1")
    try workshop.awaitReady(2)
    let reason = try workshop.show(3).pendingReason?.message ?? ""
    #expect(reason.contains("job 2") && !reason.contains("job 1"), "\(reason)")
  }

  @Test func `the end of one job leaves no exit code on the next`() throws {
    let workshop = try Workshop(slots: 1)
    try workshop.define(
      "gated", "echo x > \"$READY.$JOBRUN_JOB\"\nread line < \"$GATE\"\nexit 9",
      ", \"grace\": \"60s\"")
    _ = try workshop.submit("org.example.workshop.gated.one")
    try workshop.awaitReady(1)
    _ = try workshop.submit("org.example.workshop.gated.one", "--if-exists", "replace")
    let opened = try workshop.openGate()
    let told = try workshop.feed(until: "ended", of: 2)
    let before = told.split(separator: "\n").filter {
      $0.contains("\"job\":{\"number\":2,") && !$0.contains("\"event\":\"ended\"")
    }
    #expect(!before.isEmpty)
    #expect(before.allSatisfy { $0.contains("\"exitCode\":null") }, "\(before)")
    withExtendedLifetime(opened) {}
  }

  @Test func `a job's files are as open to others as its submitter's`() throws {
    let workshop = try Workshop()
    let plain = try workshop.sandbox.run("sh", ["-c", "umask"]).output
    #expect(try workshop.jobrun("run", "--", "sh", "-c", "umask").status == 0)
    #expect(try workshop.jobrun("log", "1").output == plain)
  }

  @Test func `every reader of the feed hears of progress`() throws {
    let workshop = try Workshop()
    try workshop.define(
      "steps",
      """
      jobrun progress --total 10 --completed 1
      echo x > "$READY.$JOBRUN_JOB"
      read line < "$GATE"
      jobrun progress --completed 2
      echo x > "$READY.$JOBRUN_JOB.2"
      read line < "$GATE.2"
      """)
    _ = unsafe mkfifo(workshop.gate + ".2", 0o600)
    _ = try workshop.submit("steps")
    try workshop.awaitReady(1)
    let readers = try (1...4).map { _ in try workshop.start("feed") }
    for reader in readers { try reader.wait(for: "\"completed\":1,") }
    let opened = try workshop.openGate()
    for reader in readers {
      try reader.wait(for: "\"completed\":2,")
      reader.signal(2)
    }
    withExtendedLifetime(opened) {}
  }
}
