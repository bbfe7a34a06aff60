import Foundation
import Glibc
import JobCore
import JobWire
import TestKit
import Testing

/// Pipes and folders in place of a job's files: opening a pipe would block for ever.
@Suite struct ReplacedFileTests {
  private let workshop: Workshop
  private var state: String { workshop.sandbox.home + "/state" }

  init() throws {
    workshop = try Workshop(slots: 1)
    try workshop.define(
      "gated", "echo x > \"$READY.$JOBRUN_JOB\"\nread line < \"$GATE\"\nexit 7")
  }

  private func putPipe(_ path: String) throws {
    try? FileManager.default.removeItem(atPath: path)
    #expect(unsafe mkfifo(path, 0o600) == 0)
  }

  @Test func `pipes for log and launch order hold neither the runner nor the next one up`() throws {
    _ = try workshop.submit("gated")
    try workshop.awaitReady(1)
    try putPipe(state + "/logs/1.log")
    try putPipe(state + "/runs/1.1.order")
    let limit = Duration.seconds(30)
    #expect(try workshop.jobrun("show", "1", "--json", within: limit).status == 0)
    let runner = try RestartTests.runner(workshop)
    kill(runner, SIGKILL)
    try WaitFor.end(ofProcess: runner)
    let shown = try workshop.jobrun("show", "1", "--json", within: limit)
    #expect(try Workshop.object(shown.output).state == .running, "\(shown)")
    let opened = try workshop.openGate()
    #expect(try workshop.jobrun("wait", "1", within: limit).status == 7)
    withExtendedLifetime(opened) {}
  }

  @Test func `a page that could not be opened at the takeover is read later`() throws {
    try workshop.define(
      "reporting",
      """
      "$JOBRUN_COMMAND" progress --total 3 --completed 2
      echo x > "$READY.$JOBRUN_JOB"
      read line < "$GATE"
      """)
    _ = try workshop.submit("reporting")
    try workshop.awaitReady(1)
    let runner = try RestartTests.runner(workshop)
    kill(runner, SIGKILL)
    try WaitFor.end(ofProcess: runner)
    let (page, aside) = (workshop.sandbox.home + "/run/pages/1.1", workshop.sandbox.path("page"))
    try FileManager.default.moveItem(atPath: page, toPath: aside)
    #expect(try workshop.show(1).warning != nil)
    try FileManager.default.moveItem(atPath: aside, toPath: page)
    let job = try workshop.show(1)
    #expect(job.progress?.completed == 2 && job.warning == nil, "\(job)")
    let opened = try workshop.openGate()
    #expect(try workshop.jobrun("wait", "1").status == 0)
    withExtendedLifetime(opened) {}
  }

  @Test func `a job whose log would be a pipe fails with the reason`() throws {
    _ = try workshop.submit("gated")
    try workshop.awaitReady(1)
    _ = try workshop.submit("gated")
    try putPipe(state + "/logs/2.log")
    let opened = try workshop.openGate()
    try workshop.jobrun("wait", "2", within: .seconds(30))
    let job = try workshop.show(2)
    #expect(job.outcome == .failed && job.exitCode == nil, "\(job)")
    #expect(job.message?.contains("/logs/2.log") == true, "\(job)")
    withExtendedLifetime(opened) {}
  }

  @Test func `a folder for the launch order goes with the job`() throws {
    _ = try workshop.submit("gated")
    try workshop.awaitReady(1)
    let order = state + "/runs/1.1.order"
    try FileManager.default.removeItem(atPath: order)
    try FileManager.default.createDirectory(
      atPath: order + "/inner", withIntermediateDirectories: true)
    let opened = try workshop.openGate()
    #expect(try workshop.jobrun("wait", "1").status == 7)
    try WaitFor.noFile(order, within: .seconds(30))
    withExtendedLifetime(opened) {}
  }
}
