import Foundation
import Glibc
import JobCore
import JobPage
import JobWire
import LinuxSystem
import TestKit
import Testing

/// Supervisors are forked from a template; jobs do not depend on it.
@Suite struct ReadySupervisorTests {
  private let workshop: Workshop

  init() throws {
    workshop = try Workshop()
    try workshop.define("count", "echo once >> \"$COUNTED\"")
  }

  private var environment: [String: String] { ["COUNTED": workshop.sandbox.path("counted")] }

  /// The child of the runner that waits on a socket.
  private func ready() throws -> Int32 {
    let runner = try RestartTests.runner(workshop)
    let processes = try FileManager.default.contentsOfDirectory(atPath: "/proc")
      .compactMap { Int32($0) }
    let waiting = processes.first { pid in
      let third = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/fd/3")
      return third?.hasPrefix("socket:") == true && ProcessStatus(pid: pid)?.parent == runner
        && ProcessStatus(pid: pid)?.session == pid
    }
    return try #require(waiting)
  }

  private func count() throws {
    let submitted = try workshop.submit("count", environment: environment)
    try workshop.waitForEnd(submitted.number.value)
    #expect(try workshop.show(submitted.number.value).outcome == .succeeded)
  }

  private func counted() throws -> Int {
    let text = try String(contentsOfFile: workshop.sandbox.path("counted"), encoding: .utf8)
    return text.split(separator: "\n").count
  }

  @Test func `a copy is a child of the runner and leads a session of its own`() throws {
    try workshop.defineGated("gated")
    _ = try workshop.submit("gated")
    try workshop.awaitReady(1)
    let record = RunRecord(parsing: try File.readAll(workshop.sandbox.home + "/state/runs/1.1"))
    let supervisor = try #require(record.started).shim.pid
    let status = try #require(ProcessStatus(pid: supervisor))
    #expect(status.parent == (try RestartTests.runner(workshop)))
    #expect(status.session == supervisor)
    #expect(supervisor != (try ready()))
    // As long as the job lasts: neither its order nor the way to ask for another copy.
    let folder = "/proc/\(supervisor)/fd"
    let open = try File.names(in: folder).map { try File.linkTarget("\(folder)/\($0)") }
    #expect(!open.contains { $0.hasSuffix(".order") || $0.hasPrefix("socket:") }, "\(open)")
  }

  @Test func `one that was killed is done without`() throws {
    try count()
    let ready = try ready()
    kill(ready, SIGKILL)
    try WaitFor.end(ofProcess: ready)
    try count()
    try count()
    #expect(try counted() == 3)
  }

  @Test func `one that does not answer is ended, and the job begins once`() throws {
    try count()
    let ready = try ready()
    kill(ready, SIGSTOP)
    try count()
    #expect(try counted() == 2)
    try WaitFor.end(ofProcess: ready)
  }

  @Test func `it leaves with the runner`() throws {
    try count()
    let ready = try ready()
    kill(try RestartTests.runner(workshop), SIGKILL)
    try WaitFor.end(ofProcess: ready)
    try count()
    #expect(try counted() == 2)
  }
}
