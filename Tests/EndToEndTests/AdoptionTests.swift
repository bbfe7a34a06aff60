import Foundation
import JobPage
import JobWire
import LinuxSystem
import TestKit
import Testing

/// Work that a killed runner leaves half done, and the next one completes.
@Suite struct AdoptionTests {
  private let workshop: Workshop
  private var state: String { workshop.sandbox.home + "/state" }

  init() throws {
    workshop = try Workshop()
  }

  private func killRunner() throws {
    let runner = try RestartTests.runner(workshop)
    kill(runner, SIGKILL)
    try WaitFor.end(ofProcess: runner)
  }

  /// Makes it as if the runner had died before its supervisor had begun.
  private func undoStart() throws {
    let record = RunRecord(parsing: try File.readAll("\(state)/runs/1.1"))
    let started = try #require(record.started)
    kill(started.shim.pid, SIGKILL)
    for process in [started.shim, started.worker] { try WaitFor.end(ofProcess: process.pid) }
    try Data().write(to: URL(fileURLWithPath: state + "/runs/1.1"))
    try workshop.undoStart(ofPage: 1)
  }

  @Test func `a job that was cancelled before its launch began never runs`() throws {
    try workshop.defineGated("gated", #","grace":"10m""#)
    _ = try workshop.submit("gated")
    try workshop.awaitReady(1)
    #expect(try workshop.jobrun("cancel", "1").status == 0)
    try killRunner()
    try undoStart()
    #expect(try workshop.jobrun("wait", "1").status == 130)
    #expect(try workshop.show(1).attempt == 1)
  }

  @Test func `a stop that was decided and not told is told by the next runner`() throws {
    try workshop.defineGated("gated", #","grace":"10m""#)
    _ = try workshop.submit("gated")
    try workshop.awaitReady(1)
    #expect(try workshop.jobrun("cancel", "1").status == 0)
    try killRunner()
    let path = workshop.sandbox.home + "/run/pages/1.1"
    do {
      let page = try File.open(path, [.write])
      try page.write([0, 0, 0, 0], at: 1024)
    }
    #expect(try workshop.show(1).state == .stopping)
    #expect(try File.open(path).read(at: 1024, maximum: 4) == [1, 0, 0, 0])
  }

  @Test func `a launch that never began is made again as the next attempt`() throws {
    try workshop.define("quick", "echo attempt $JOBRUN_ATTEMPT")
    let mark = workshop.sandbox.path("mark")
    let folder = try SupervisorTests.installation(
      in: workshop,
      supervisor: "if [ ! -e \"\(mark)\" ]; then echo $$ > \"\(mark)\"; exec sleep 1000; fi")
    let submitted = try workshop.sandbox.run(
      folder + "/jobrun", ["submit", "quick", "--detach"], environment: workshop.environment)
    #expect(submitted.status == 0, "\(submitted)")
    // The second attempt: the first was forbidden when none could stand ready.
    let supervisor = try WaitFor.file(mark, contains: "\n")
    try killRunner()
    let pid = try #require(Int32(supervisor.dropLast()))
    kill(pid, SIGKILL)
    try WaitFor.end(ofProcess: pid)
    #expect(try workshop.jobrun("wait", "1").status == 0)
    #expect(try workshop.jobrun("log", "1").output == "attempt 3\n")
  }

  @Test func `a job that waits for its retry runs again under the next runner`() throws {
    try workshop.define("second", "mkdir \"$JOBRUN_STATE_DIR/tried\" && exit 9\nexit 0")
    // Long enough for the runner to be killed meanwhile: an attempt that is just being launched when the runner
    // dies is made again under another number.
    _ = try workshop.submit("second", "--retries", "1:4s")
    try workshop.feed(until: "queued", of: 1)
    try killRunner()
    #expect(try workshop.jobrun("wait", "1").status == 0)
    #expect(try workshop.show(1).attempt == 2)
  }

  @Test func `retries are counted across runners`() throws {
    try workshop.define("never", "echo x >> \"$JOBRUN_STATE_DIR/tries\"\nexit 9", #","retries":1"#)
    _ = try workshop.submit("never")
    try workshop.feed(until: "queued", of: 1)
    try killRunner()
    #expect(try workshop.jobrun("wait", "1").status == 9)
    let tries = try String(contentsOfFile: state + "/state/1/tries", encoding: .utf8)
    #expect(tries == "x\nx\n")
  }

  @Test func `what a killed runner did not tidy is tidied, but for what somebody holds`() throws {
    #expect(try workshop.jobrun("list").status == 0)
    try killRunner()
    let pages = workshop.sandbox.home + "/run/pages"
    for path in ["\(state)/runs/98.1", "\(state)/runs/99.1", "\(pages)/98.1", "\(pages)/99.1"] {
      try Data().write(to: URL(fileURLWithPath: path))
    }
    for folder in ["state/98", "runs/97.1.order"] { try File.makeDirectory("\(state)/\(folder)") }
    let held = try RunRecordFile(path: "\(state)/runs/99.1")
    #expect(try held.tryLock())
    #expect(try workshop.jobrun("list").status == 0)
    #expect(try File.names(in: "\(state)/runs") == ["99.1"])
    #expect(try File.names(in: pages) == ["99.1"])
    #expect(try File.names(in: "\(state)/state") == [])
  }
}
