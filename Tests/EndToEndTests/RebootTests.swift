import Foundation
import Glibc
import JobCore
import JobWire
import TestKit
import Testing

/// The state of each kind of job after a restart of the machine.
@Suite struct RebootTests {
  private static func supervisor(_ workshop: Workshop, _ number: UInt64) throws -> Int32 {
    let path = workshop.sandbox.home + "/state/runs/\(number).1"
    let words = try WaitFor.file(path, contains: "started").split(separator: " ")
    return try #require(words.dropFirst(3).first.flatMap { Int32($0) })
  }

  private static let gated = """
    echo "$JOBRUN_ATTEMPT" >> "$JOBRUN_STATE_DIR/attempts"
    echo x > "$READY.$JOBRUN_JOB"
    read line < "$GATE"
    cat "$JOBRUN_STATE_DIR/attempts"
    """

  @Test func `running jobs are interrupted, resumable ones go on with their folder`() throws {
    let workshop = try Workshop(slots: 2)
    try workshop.define("once", Self.gated)
    try workshop.define("again", Self.gated, ", \"resumable\": true")
    for name in ["once", "again", "once"] { _ = try workshop.submit(name) }
    try workshop.awaitReady(1)
    try workshop.awaitReady(2)
    let supervisors = try [1, 2].map { try Self.supervisor(workshop, $0) }
    try workshop.reboot(killing: supervisors)
    let opened = try workshop.openGate()
    #expect(try workshop.jobrun("wait", "1").status == 76)
    #expect(try workshop.jobrun("wait", "2", "3").status == 0)
    let interrupted = try workshop.show(1)
    #expect(interrupted.outcome == .interrupted)
    #expect(interrupted.stopReason?.code == .reboot)
    let resumed = try workshop.show(2)
    #expect(resumed.outcome == .succeeded)
    #expect(resumed.attempt == 2)
    #expect(try workshop.jobrun("log", "2").output == "1\n2\n")
    #expect(try workshop.show(3).attempt == 1)
    withExtendedLifetime(opened) {}
  }

  @Test func `what had ended before the restart keeps its true end`() throws {
    let workshop = try Workshop()
    try workshop.define("gated", Self.gated + "\nexit 9", ", \"resumable\": true")
    _ = try workshop.submit("gated")
    try workshop.awaitReady(1)
    try workshop.killRunner()
    let opened = try workshop.openGate()
    try WaitFor.file(workshop.sandbox.home + "/state/runs/1.1", contains: "ended")
    try workshop.changeBoot()
    let job = try workshop.waitForEnd(1)
    #expect(job.outcome == .failed)
    #expect(job.exitCode == 9)
    #expect(job.attempt == 1)
    // Its page was lost with the boot, which is no problem of the job.
    #expect(job.warning == nil)
    withExtendedLifetime(opened) {}
  }

  @Test func `a retry waits on across a killed runner, with its attempts counted`() throws {
    let workshop = try Workshop()
    try workshop.define("failing", "exit $((JOBRUN_ATTEMPT + 2))")
    // Long enough for the runner to be killed meanwhile: an attempt that is just being launched when
    // the runner dies is made again under another number.
    _ = try workshop.submit("failing", "--retries", "2:4s")
    try workshop.feed(until: "queued", of: 1)
    try workshop.killRunner()
    let ended = try workshop.waitForEnd(1)
    #expect(ended.outcome == .failed)
    #expect(ended.attempt == 3)
    #expect(ended.exitCode == 5)
    let told = try workshop.feed(until: "ended", of: 1)
    let retries = told.split(separator: "\n").filter { $0.contains("\"code\":\"retry\"") }
    #expect(retries.count == 2, "\(told)")
    #expect(retries.first?.contains("attempt 1 of 3 failed; the next one starts in") == true)
    #expect(retries.last?.contains("attempt 2 of 3 failed; the next one starts in") == true)
  }
}
