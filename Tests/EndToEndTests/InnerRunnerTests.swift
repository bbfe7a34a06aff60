import Foundation
import Glibc
import JobCore
import JobWire
import LinuxSystem
import TestKit
import Testing

/// Runners that are started from inside jobs: a client without a runner starts one for all.
@Suite struct InnerRunnerTests {
  private let workshop: Workshop

  init() throws {
    workshop = try Workshop(slots: 3)
    try workshop.defineGated("gated")
    _ = unsafe mkfifo(inner, 0o600)
  }

  /// The pipe of the jobs that start a runner.
  private var inner: String { workshop.sandbox.path("inner") }
  private var environment: [String: String] { ["INNER": inner] }

  /// A job that calls `jobrun`, reports that, and waits.
  private func submitOuter(_ script: String) throws {
    try workshop.define(
      "outer", "\(script)\necho x > \"$READY.$JOBRUN_JOB\"\nread line < \"$INNER\"")
    _ = try workshop.submit("outer", environment: environment)
    try workshop.awaitReady(1)
  }

  private func letOuterGo() throws {
    let opened = try workshop.sandbox.run("sh", ["-c", "echo go > \"$0\"", inner])
    #expect(opened.status == 0)
  }

  /// Job 2 runs below this runner, continues after job 1 has ended, and was submitted once.
  private func checkGoesOn(_ runner: Int32) throws {
    #expect(try RestartTests.runner(workshop) == runner)
    #expect(try workshop.show(2).state == .running)
    let opened = try workshop.openGate()
    #expect(try workshop.jobrun("wait", "2").status == 0)
    #expect(try workshop.show(2).attempt == 1)
    #expect(try RestartTests.runner(workshop) == runner)
    withExtendedLifetime(opened) {}
  }

  @Test(arguments: [true, false])
  func `a restarted runner and its jobs outlive the job that restarted it`(
    _ endsByItself: Bool
  ) throws {
    try submitOuter("jobrun runner restart")
    let runner = try RestartTests.runner(workshop)
    _ = try workshop.submit("gated")
    try workshop.awaitReady(2)
    let environment = try File.readAll("/proc/\(runner)/environ")
    #expect(!environment.split(separator: 0).contains { $0.starts(with: "JOBRUN_TOKEN=".utf8) })
    if endsByItself {
      try letOuterGo()
      #expect(try workshop.jobrun("wait", "1").status == 0)
    } else {
      #expect(try workshop.jobrun("cancel", "1", "--now").status == 0)
      #expect(try workshop.jobrun("wait", "1").status == 130)
    }
    try checkGoesOn(runner)
  }

  @Test func `so does one that a job started because there was none`() throws {
    let lock = workshop.sandbox.home + "/state/runner.lock"
    try submitOuter("kill -9 $(sed -n 2p \"\(lock)\"); jobrun list")
    let runner = try RestartTests.runner(workshop)
    _ = try workshop.submit("gated")
    try workshop.awaitReady(2)
    try letOuterGo()
    #expect(try workshop.jobrun("wait", "1").status == 0)
    try checkGoesOn(runner)
  }

  @Test func `a job's supervisor outlives the inner runner and the outer job`() throws {
    try submitOuter("jobrun runner restart")
    _ = try workshop.submit("gated")
    try workshop.awaitReady(2)
    let runner = try RestartTests.runner(workshop)
    // Its jobs' supervisors become children of the outer job's.
    kill(runner, SIGKILL)
    try WaitFor.end(ofProcess: runner)
    #expect(try workshop.jobrun("list").status == 0)
    try letOuterGo()
    #expect(try workshop.jobrun("wait", "1").status == 0)
    try checkGoesOn(try RestartTests.runner(workshop))
  }

  @Test func `another store that is first used inside of a job is served on`() throws {
    let other = workshop.sandbox.path("other")
    defer { _ = try? workshop.jobrun("runner", "stop", environment: ["JOBRUN_HOME": other]) }
    let begun = workshop.sandbox.path("begun")
    try submitOuter(
      "JOBRUN_HOME=\(other) jobrun run --detach -- sh -c"
        + " 'echo > \(begun); read line < \(workshop.gate)'")
    // It was accepted, which is not to say that it has started.
    try WaitFor.file(begun)
    try letOuterGo()
    #expect(try workshop.jobrun("wait", "1").status == 0)
    let job = try Workshop.object(
      try workshop.jobrun("show", "1", "--json", environment: ["JOBRUN_HOME": other]).output)
    #expect(job.state == .running && job.attempt == 1)
    let opened = try workshop.openGate()
    #expect(try workshop.jobrun("wait", "1", environment: ["JOBRUN_HOME": other]).status == 0)
    withExtendedLifetime(opened) {}
  }

  @Test func `a runner that a command after an end has started stays`() throws {
    try workshop.define("quick", "exit 0")
    let done = workshop.sandbox.path("done")
    _ = try workshop.submit("quick", "--on-end", "jobrun runner restart; echo x > \(done)")
    try WaitFor.file(done)
    let runner = try RestartTests.runner(workshop)
    _ = try workshop.submit("gated")
    try workshop.awaitReady(2)
    try workshop.sandbox.waitForEnd(ofProcessesRunning: "echo x > ")
    try checkGoesOn(runner)
  }

  @Test func `a runner that is a job itself ends with it`() throws {
    let other = workshop.sandbox.path("other")
    let program = try BuiltProducts.path("jobrund")
    try workshop.define("served", "JOBRUN_HOME=\(other) exec \(program)")
    _ = try workshop.submit("served")
    try WaitFor.file(other + "/state/runner.lock", contains: "\n")
    #expect(try workshop.jobrun("cancel", "1", "--now").status == 0)
    #expect(try workshop.jobrun("wait", "1").status == 130)
    #expect(workshop.sandbox.processes(running: "served") == [])
  }
}
