import Foundation
import JobCore
import JobWire
import TestKit
import Testing

/// The next runner's handling of a job that the last one left between two steps.
@Suite struct RecoveryTests {
  /// Ends the runner as a crash does.
  static func crash(_ workshop: Workshop) throws {
    let runner = try RestartTests.runner(workshop)
    kill(runner, SIGKILL)
    try WaitFor.end(ofProcess: runner)
  }

  /// Changes the store while no runner lives.
  static func store(_ workshop: Workshop, _ sql: String) throws {
    let database = workshop.sandbox.home + "/state/jobrun.db"
    let finished = try workshop.sandbox.run("sqlite3", [database, sql])
    #expect(finished.status == 0, "\(finished.errors)")
  }

  /// Stores a job as being launched, with its last attempt or the given one.
  static func storeLaunching(_ workshop: Workshop, _ number: Int, attempt: Int? = nil) throws {
    let attempt = attempt.map { ", '$.attempt', \($0)" } ?? ""
    try store(
      workshop,
      "UPDATE jobs SET state = 'launching',"
        + " record = json_set(record, '$.state', 'launching'\(attempt)) WHERE number = \(number)")
  }

  /// Declares on the page "not now, again after four seconds", and counts its runs.
  ///
  /// The runner is killed before that: an attempt that is just being launched then is made again
  /// under another number.
  private static let deferring = """
    echo x >> "$JOBRUN_STATE_DIR/runs"
    [ "$JOBRUN_ATTEMPT" = 1 ] || exit 0
    printf '\\003\\000\\000\\000\\004\\000\\000\\000' |
      dd of="$JOBRUN_PAGE" bs=1 seek=1088 conv=notrunc 2>/dev/null
    """

  @Test func `a deferred job runs again after a crash instead of ending with its old status`()
    throws
  {
    let workshop = try Workshop()
    try workshop.define("later", Self.deferring)
    _ = try workshop.submit("later")
    try workshop.feed(until: "queued", of: 1)
    try Self.crash(workshop)
    let job = try workshop.waitForEnd(1)
    #expect(job.outcome == .succeeded)
    #expect(job.attempt == 2)
    let runs = try String(
      contentsOfFile: workshop.sandbox.home + "/state/state/1/runs", encoding: .utf8)
    #expect(runs == "x\nx\n")
  }

  @Test func `a job that was to be launched at the crash is launched by the next runner`() throws {
    let workshop = try Workshop(slots: 1)
    try workshop.defineGated("gated")
    try workshop.define("quick", "echo ran")
    _ = try workshop.submit("gated")
    _ = try workshop.submit("quick")
    try workshop.awaitReady(1)
    try Self.crash(workshop)
    // The intent was stored, and no supervisor came to be.
    try Self.storeLaunching(workshop, 2, attempt: 1)
    let opened = try workshop.openGate()
    let job = try workshop.waitForEnd(2)
    #expect(job.outcome == .succeeded, "\(job.message ?? "")")
    #expect(try workshop.jobrun("log", "2").output == "ran\n")
    withExtendedLifetime(opened) {}
  }

  @Test func `a cancelled job stays cancelled over a restart of the machine`() throws {
    let workshop = try Workshop()
    try workshop.defineGated("stubborn", ", \"resumable\": true, \"grace\": \"60s\"")
    _ = try workshop.submit("stubborn")
    try workshop.awaitReady(1)
    try workshop.jobrun("cancel", "1")
    try Self.crash(workshop)
    try Self.store(workshop, "UPDATE notes SET value = 'another' WHERE name = 'boot'")
    #expect(try workshop.show(1).outcome == .cancelled)
  }

  @Test func `what ended before a restart of the machine keeps its status`() throws {
    let workshop = try Workshop()
    try workshop.define(
      "gated", "echo x > \"$READY.$JOBRUN_JOB\"\nread line < \"$GATE\"\nexit 9",
      ", \"resumable\": true")
    _ = try workshop.submit("gated")
    try workshop.awaitReady(1)
    try Self.crash(workshop)
    let opened = try workshop.openGate()
    try WaitFor.file(workshop.sandbox.home + "/state/runs/1.1", contains: "ended")
    try Self.store(workshop, "UPDATE notes SET value = 'another' WHERE name = 'boot'")
    let job = try workshop.show(1)
    #expect(job.outcome == .failed)
    #expect(job.exitCode == 9)
    withExtendedLifetime(opened) {}
  }

  @Test func `a stopping job is shown as stopping by the next runner`() throws {
    let workshop = try Workshop()
    try workshop.defineGated("stubborn", ", \"grace\": \"60s\"")
    _ = try workshop.submit("stubborn")
    try workshop.awaitReady(1)
    try workshop.jobrun("cancel", "1")
    try Self.crash(workshop)
    let job = try workshop.show(1)
    #expect(job.state == .stopping)
    #expect(job.stopReason?.code == .user)
  }

  @Test func `a new store gives no job the files of another`() throws {
    let workshop = try Workshop()
    try workshop.define("tell", "echo \"$0 $JOBRUN_JOB\"")
    #expect(try workshop.jobrun("submit", "tell").status == 0)
    try Self.crash(workshop)
    for file in ["jobrun.db", "jobrun.db-wal", "jobrun.db-shm"] {
      try? FileManager.default.removeItem(atPath: workshop.sandbox.home + "/state/" + file)
    }
    let job = try workshop.submit("tell")
    #expect(job.number > JobNumber(1))
    try workshop.waitForEnd(job.number.value)
    #expect(try workshop.jobrun("log", "\(job.number)").output.hasSuffix(" \(job.number)\n"))
  }
}
