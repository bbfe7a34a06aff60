import Foundation
import JobCore
import JobWire
import LinuxSystem
import TestKit
import Testing

@Suite struct RestartTests {
  static func runner(_ workshop: Workshop) throws -> Int32 {
    let text = try String(
      contentsOfFile: workshop.sandbox.home + "/state/runner.lock", encoding: .utf8)
    return try #require(text.split(separator: "\n").last.flatMap { Int32($0) })
  }

  @Test func `a killed runner's jobs go on and get their true end`() throws {
    let workshop = try Workshop(slots: 1)
    try workshop.define(
      "gated", "echo x > \"$READY.$JOBRUN_JOB\"\nread line < \"$GATE\"\nexit 9")
    _ = try workshop.submit("gated")
    _ = try workshop.submit("gated")
    try workshop.awaitReady(1)
    let runner = try Self.runner(workshop)
    kill(runner, SIGKILL)
    try WaitFor.end(ofProcess: runner)
    #expect(try workshop.show(1).state == .running)
    #expect(try workshop.show(2).state == .queued)
    let opened = try workshop.openGate()
    #expect(try workshop.jobrun("wait", "1", "2").status == 9)
    #expect(try workshop.show(1).exitCode == 9)
    #expect(try workshop.show(2).exitCode == 9)
    withExtendedLifetime(opened) {}
  }

  @Test func `what ended while no runner lived gets its true end`() throws {
    let workshop = try Workshop()
    try workshop.define("gated", "echo x > \"$READY.$JOBRUN_JOB\"\nread line < \"$GATE\"\nexit 9")
    _ = try workshop.submit("gated")
    try workshop.awaitReady(1)
    let supervisor = try #require(workshop.sandbox.supervisors.first)
    let runner = try Self.runner(workshop)
    kill(runner, SIGKILL)
    try WaitFor.end(ofProcess: runner)
    let opened = try workshop.openGate()
    try WaitFor.file(workshop.sandbox.home + "/state/runs/1.1", contains: "ended")
    // As long as it is there, it has the lock of the record, and its job counts as running.
    try WaitFor.end(ofProcess: supervisor)
    let job = try workshop.show(1)
    #expect(job.outcome == .failed)
    #expect(job.exitCode == 9)
    withExtendedLifetime(opened) {}
  }

  @Test func `a dead supervisor means interrupted, with nothing left behind`() throws {
    let workshop = try Workshop()
    try workshop.define(
      "stray", "setsid sleep 1000 &\necho x > \"$READY.$JOBRUN_JOB\"\nread line < \"$GATE\"")
    _ = try workshop.submit("stray")
    try workshop.awaitReady(1)
    let record = try String(
      contentsOfFile: workshop.sandbox.home + "/state/runs/1.1", encoding: .utf8)
    let shim = try #require(record.split(separator: " ").dropFirst(3).first.flatMap { Int32($0) })
    kill(shim, SIGKILL)
    #expect(try workshop.jobrun("wait", "1").status == 76)
    #expect(try workshop.show(1).stopReason?.code == .supervisorLost)
    #expect(workshop.strays() == [])
  }

  @Test func `a watching command survives the runner and tells the true end`() throws {
    let workshop = try Workshop()
    try workshop.defineGated("gated")
    let command = try workshop.start("submit", "gated")
    try workshop.awaitReady(1)
    let runner = try Self.runner(workshop)
    kill(runner, SIGKILL)
    try WaitFor.end(ofProcess: runner)
    let opened = try workshop.openGate()
    #expect(try command.wait().status == 0)
    withExtendedLifetime(opened) {}
  }

  /// A test that holds its lock stands for a runner with a million waiting jobs.
  @Test func `a runner that is opening its store is waited for, and not said to be away`() throws {
    let workshop = try Workshop()
    try workshop.jobrun("runner", "restart")
    let process = try Self.runner(workshop)
    try workshop.jobrun("runner", "stop")
    let lock = try File.open(
      workshop.sandbox.home + "/state/runner.lock", [.read, .write])
    // The runner answers before it exits.
    try WaitFor.answer("the lock") { try lock.tryLock() }
    // As one does that has stopped listening and is about to exit.
    let leaving = try workshop.jobrun("runner", "status")
    #expect((leaving.output + leaving.errors).contains("no runner is running"), "\(leaving)")
    let text = try String(
      contentsOfFile: workshop.sandbox.home + "/state/runner.lock", encoding: .utf8)
    try lock.write(Array((text + "opening\n").utf8), at: 0)
    for action in ["status", "stop"] {
      let refused = try workshop.jobrun("runner", action)
      #expect(refused.status == 69)
      #expect(
        refused.errors.contains(
          "the runner (process \(process)) is opening its store; try again later"))
    }
    let command = try workshop.start("run", "--detach", "--", "true")
    _ = try command.wait(for: "is opening its store; waiting for it", on: .errors)
    lock.unlock()
    #expect(try command.wait().status == 0)
  }

  @Test func `a damaged store is moved aside and said so`() throws {
    let workshop = try Workshop()
    let state = workshop.sandbox.home + "/state"
    try FileManager.default.createDirectory(
      atPath: state, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try Data(repeating: 0x5A, count: 10_000).write(
      to: URL(fileURLWithPath: state + "/jobrun.db"))
    try workshop.define("quick", "exit 0")
    #expect(try workshop.jobrun("submit", "quick").status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: state)
    #expect(names.contains { $0.hasPrefix("jobrun.db.broken-") })
    #expect(try workshop.jobrun("runner", "status").output.contains("moved aside"))
  }

  @Test func `jobrund with an argument becomes no runner`() throws {
    let workshop = try Workshop()
    let refused = try workshop.sandbox.run(
      try BuiltProducts.path("jobrund"), ["--version"], environment: workshop.environment)
    #expect(refused.status == 64)
    #expect(refused.errors.contains("unexpected argument \"--version\""), "\(refused.errors)")
    #expect(!FileManager.default.fileExists(atPath: workshop.sandbox.home + "/state/runner.lock"))
  }
}
