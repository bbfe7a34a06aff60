import Foundation
import JobCore
import JobWire
import TestKit
import Testing

/// The options of a submission, and their display.
@Suite struct TermsTests {
  @Test func `a job says what it executes and where, live and ended, in list and feed`() throws {
    let workshop = try Workshop()
    try workshop.jobrun("run", "--detach", "--", "sh", "-c", "echo 'a b' ; read x < \"$GATE\"", "")
    let command = ["sh", "-c", "echo 'a b' ; read x < \"$GATE\"", ""]
    let live = try Workshop.object(try workshop.jobrun("list", "--json").output)
    #expect(live.terms.command == command)
    #expect(live.terms.directory == workshop.sandbox.work)
    let gate = try workshop.openGate()
    defer { gate.signal(9) }
    let ended = try workshop.waitForEnd(1)
    #expect(ended.terms.command == command)
    #expect(ended.terms.directory == workshop.sandbox.work)
    let told = try workshop.feed(until: "ended", of: 1)
    #expect(told.contains("\"command\":[\"sh\",\"-c\","))
    let shown = try workshop.jobrun("show", "1").output
    #expect(
      shown.contains("  sh -c 'echo '\\''a b'\\'' ; read x < \"$GATE\"' ''\n"), "\(shown)")
    #expect(shown.contains(" \(workshop.sandbox.work)\n"))
    try workshop.define("quick", "exit 0")
    let job = try workshop.submit("quick")
    #expect(job.terms.command == [workshop.sandbox.path("jobs/quick/quick")])
  }

  @Test func `a hidden command is shown nowhere, and the job runs all the same`() throws {
    let workshop = try Workshop()
    let finished = try workshop.jobrun(
      "run", "--hide-command", "--", "sh", "-c", "test \"$0\" = s3cret && echo fine", "s3cret")
    #expect(finished.status == 0)
    #expect(
      finished.output + finished.errors
        == (finished.output + finished.errors)
        .replacingOccurrences(of: "s3cret", with: ""))
    let job = try workshop.show(1)
    #expect(job.terms.command == nil)
    #expect(job.title == "sh")
    #expect(job.terms.directory == workshop.sandbox.work)
    let feed = try workshop.feed(until: "ended", of: 1)
    let paths = try [
      workshop.jobrun("show", "1").output, workshop.jobrun("history").output,
      workshop.jobrun("list", "--all", "--json").output, feed,
    ]
    for text in paths { #expect(!text.contains("s3cret")) }
  }

  @Test func `a hidden command is not in the words of who waits for it`() throws {
    let workshop = try Workshop()
    let waiting = try workshop.start(
      "run", "--hide-command", "--", "sh", "-c", "read x < \"$GATE\"", "s3cret")
    try workshop.feed(until: "started", of: 1)
    let words = try String(contentsOfFile: "/proc/\(waiting.pid)/cmdline", encoding: .utf8)
    #expect(words.contains("run"))
    #expect(!words.contains("s3cret"))
    let gate = try workshop.openGate()
    defer { gate.signal(9) }
    #expect(try waiting.wait().status == 0)
  }

  @Test func `Python prints at once, unless somebody has said otherwise`() throws {
    let workshop = try Workshop()
    let script = "echo \"<$PYTHONUNBUFFERED>\""
    try workshop.jobrun("run", "--", "sh", "-c", script)
    try workshop.jobrun("run", "--", "sh", "-c", script, environment: ["PYTHONUNBUFFERED": ""])
    #expect(try workshop.jobrun("log", "1").output == "<1>\n")
    #expect(try workshop.jobrun("log", "2").output == "<>\n")
    #expect(try workshop.show(1).terms.environment == ["PYTHONUNBUFFERED=1"])
    #expect(try workshop.jobrun("show", "1").output.contains("PYTHONUNBUFFERED=1"))
    #expect(try workshop.show(2).terms.environment == [])
    #expect(try !workshop.jobrun("show", "2").output.contains("PYTHONUNBUFFERED=1"))
  }

  @Test func `variables that were given are shown by name, and never by value`() throws {
    let workshop = try Workshop()
    try workshop.jobrun("run", "--env", "TOKEN=s3cret", "--env", "B=", "--", "true")
    #expect(try workshop.show(1).terms.environment.contains("TOKEN"))
    let shown = try workshop.jobrun("show", "1").output
    #expect(shown.contains("  TOKEN, B\n"), "\(shown)")
    #expect(!shown.contains("s3cret"))
  }

  @Test func `a command is tried again as often as was asked`() throws {
    let workshop = try Workshop()
    let finished = try workshop.jobrun(
      "run", "--retries", "3:10ms", "--", "sh", "-c", "test $JOBRUN_ATTEMPT = 3")
    #expect(finished.status == 0)
    #expect(try workshop.show(1).attempt == 3)
    for value in ["x", "-1", "3:", "3:x", "1001", "1:2:3"] {
      let refused = try workshop.jobrun("run", "--retries", value, "--", "true")
      #expect(refused.status == 64, "\(value)")
      #expect(refused.errors.contains("--retries"))
    }
  }

  @Test func `a job after any end starts when the other has failed`() throws {
    let workshop = try Workshop()
    try workshop.jobrun(
      "run", "--detach", "--title", "first", "--", "sh", "-c", "read x < \"$GATE\"; exit 3")
    try workshop.jobrun("run", "--detach", "--after-any", "first", "--", "echo", "ran")
    let waiting = try workshop.show(2)
    #expect(waiting.terms.afterAny == [JobNumber(1)])
    #expect(waiting.terms.after == [])
    #expect(waiting.pendingReason?.message == "waits for job 1 to end")
    try RecoveryTests.crash(workshop)
    let gate = try workshop.openGate()
    defer { gate.signal(9) }
    #expect(try workshop.waitForEnd(2).outcome == .succeeded)
    #expect(try workshop.show(1).outcome == .failed)
  }

  @Test func `redo waits for the redo of what it comes after, or is refused, or forced`() throws {
    let workshop = try Workshop()
    try workshop.define("first", "test -e good")
    try workshop.define("second", "exit 0")
    _ = try workshop.submit("first")
    try workshop.waitForEnd(1)
    #expect(try workshop.jobrun("submit", "second", "--after", "1").status == 69)
    // A refusal at submission leaves no trace: the second must exist when the first fails.
    try workshop.define("gated", "read x < \"$GATE\"; test -e good")
    _ = try workshop.submit("gated")
    _ = try workshop.submit("second", "--after", "2")
    let gate = try workshop.openGate()
    defer { gate.signal(9) }
    #expect(try workshop.waitForEnd(3).outcome == .refused)
    let refused = try workshop.jobrun("redo", "3")
    #expect(refused.status == 69)
    #expect(
      refused.errors.contains("job 2, which it comes after, failed; --force runs it anyway"))
    #expect(try workshop.jobrun("redo", "3", "--force").status == 0)
    #expect(try workshop.waitForEnd(3).outcome == .succeeded)
  }

  @Test func `progress outside of a job does nothing, and says so when asked`() throws {
    let workshop = try Workshop()
    let quiet = try workshop.jobrun("progress", "--advance", "1")
    #expect(quiet.status == 0)
    #expect(quiet.output + quiet.errors == "")
    let strict = try workshop.jobrun("progress", "--advance", "1", "--strict")
    #expect(strict.status == 64)
    #expect(strict.errors.contains("JOBRUN_PAGE is not set"))
  }
}
