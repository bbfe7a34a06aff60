import Foundation
import Glibc
import JobCore
import JobWire
import TestKit
import Testing

/// Jobs may damage their own files, which affects only their display.
@Suite struct DamageTests {
  private static let waits = "echo x > \"$READY.$JOBRUN_JOB\"\nread line < \"$GATE\"\nexit 4"

  @Test(arguments: ["rm \"$JOBRUN_PAGE\"", "head -c 4096 /dev/urandom > \"$JOBRUN_PAGE\""])
  func `a job whose page is gone or garbage goes on to its true end`(damage: String) throws {
    let workshop = try Workshop()
    try workshop.define("odd", damage + "\n" + Self.waits)
    _ = try workshop.submit("odd")
    try workshop.awaitRunning(1)
    #expect(try workshop.show(1).state == .running)
    try workshop.killRunner()
    #expect(try workshop.show(1).state == .running)
    #expect(try workshop.show(1).warning != nil)
    let opened = try workshop.openGate()
    #expect(try workshop.jobrun("wait", "1").status == 4)
    withExtendedLifetime(opened) {}
  }

  @Test func `a job whose page is gone is still told to stop`() throws {
    let workshop = try Workshop()
    // A signal just before an endless wait would not be seen before the end of that.
    try workshop.define(
      "odd",
      "rm \"$JOBRUN_PAGE\"\ntrap 'echo told; exit 0' TERM\necho x > \"$READY.1\"\n"
        + "while :; do sleep 0.1; done", ", \"grace\": \"1h\"")
    _ = try workshop.submit("odd")
    try workshop.awaitReady(1)
    #expect(try workshop.jobrun("cancel", "1").status == 0)
    #expect(try workshop.jobrun("wait", "1").status == 130)
    #expect(try workshop.jobrun("log", "1").output.contains("told"))
  }

  @Test func `a job whose log is deleted goes on, and its next attempt has one again`() throws {
    let workshop = try Workshop()
    try workshop.define("odd", "echo attempt $JOBRUN_ATTEMPT\n" + Self.waits)
    let job = try workshop.submit("odd")
    try workshop.awaitReady(1)
    try FileManager.default.removeItem(atPath: job.log)
    let opened = try workshop.openGate()
    #expect(try workshop.jobrun("wait", "1").status == 4)
    #expect(try workshop.jobrun("redo", "1").status == 0)
    #expect(try workshop.jobrun("wait", "1").status == 4)
    #expect(try workshop.jobrun("log", "1").output.contains("attempt 2"))
    withExtendedLifetime(opened) {}
  }

  @Test func `the history is filtered, ordered and shown as JSON`() throws {
    let workshop = try Workshop(slots: 1)
    try workshop.define("good", "exit 0")
    try workshop.define("bad", "exit 1")
    for name in ["good", "bad", "good"] { _ = try workshop.submit(name) }
    try workshop.jobrun("wait", "1", "2", "3")
    func numbers(_ flags: String...) throws -> [UInt64] {
      let told = try workshop.sandbox.run("jobrun", ["history", "--json"] + flags)
      #expect(told.status == 0, "\(told.errors)")
      return try told.output.split(separator: "\n").map {
        try JobStatus(json: Array($0.utf8)[...]).number.value
      }
    }
    #expect(try numbers() == [3, 2, 1])
    #expect(try numbers("--limit", "2") == [3, 2])
    #expect(try numbers("--limit", "0", "--outcome", "succeeded") == [3, 1])
    #expect(try numbers("--definition", "bad") == [2])
    let latest = try workshop.jobrun("history", "--limit", "1")
    #expect(latest.output.contains("3 jobs: 2 succeeded, 1 failed; "), "\(latest.output)")
    #expect(latest.errors.contains("only the latest one is shown"), "\(latest.errors)")
    let good = try workshop.jobrun("history", "--limit", "1", "--outcome", "succeeded")
    #expect(good.output.contains("2 jobs: 2 succeeded; "), "\(good.output)")
    #expect(try !workshop.jobrun("history", "--definition", "bad").output.contains(" in all"))
    #expect(try numbers("--since", "1h").count == 3)
    #expect(try numbers("--since", "2200-01-01") == [])
    #expect(try workshop.jobrun("history", "--since", "nonsense").status == 64)
    #expect(try workshop.jobrun("redo", "1").status == 0)
  }
}
