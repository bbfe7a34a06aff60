import Foundation
import Glibc
import JobCore
import JobWire
import TestKit
import Testing

/// Two stores of one user, with one runtime folder between them.
@Suite struct TwoStoresTests {
  private let workshop: Workshop

  init() throws {
    workshop = try Workshop()
    try workshop.defineGated("gated")
    try FileManager.default.createDirectory(
      atPath: workshop.sandbox.path("run"), withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
  }

  /// The environment of the store with this name, which its configuration places.
  ///
  /// The name at the end lets the sandbox find its processes.
  private func environment(_ name: String) throws -> [String: String] {
    try workshop.sandbox.write(
      "{\"stateDir\": \"\(state(name))\"}", to: "\(name)/jobrun/config.json")
    return [
      "JOBRUN_HOME": "", "XDG_CONFIG_HOME": workshop.sandbox.path(name),
      "XDG_RUNTIME_DIR": workshop.sandbox.path("run"),
      "READY": workshop.sandbox.path(name + "-ready"),
    ]
  }

  private func state(_ name: String) -> String { workshop.sandbox.path(name + "-state") }

  private func lock(_ name: String) throws -> [Substring] {
    try String(contentsOfFile: state(name) + "/runner.lock", encoding: .utf8).split(separator: "\n")
  }

  /// Ends a runner with its jobs, which the sandbox does not find without its mark.
  private func stop(_ environment: [String: String]) {
    _ = try? workshop.jobrun("cancel", "--all", environment: environment)
    _ = try? workshop.jobrun("runner", "stop", environment: environment)
  }

  @Test func `neither store takes the socket or the pages of the other`() throws {
    let first = try environment("first")
    let second = try environment("second")
    defer {
      stop(first)
      stop(second)
    }
    for (name, environment) in [("first", first), ("second", second)] {
      let job = try workshop.submit("gated", "--title", name, environment: environment)
      #expect(job.number.value == 1)
      try WaitFor.file(workshop.sandbox.path("\(name)-ready.1"))
      // A job may be seen to run before its runner has heard of it.
      let begun = try workshop.jobrun("wait", "1", "--until", "running", environment: environment)
      #expect(begun.status == 0, "\(begun)")
    }
    let sockets = try [lock("first")[0], lock("second")[0]]
    #expect(sockets[0] != sockets[1])
    // The next runner of one store removes its leftovers.
    let runner = try #require(Int32(try lock("first")[1]))
    kill(runner, SIGKILL)
    try WaitFor.end(ofProcess: runner)
    for (name, environment) in [("first", first), ("second", second)] {
      let shown = try workshop.jobrun("show", "1", "--json", environment: environment)
      let job = try Workshop.object(shown.output)
      #expect(job.title == name && job.state == .running && job.warning == nil)
    }
    #expect(try lock("first")[0] == sockets[0])
    let opened = try workshop.openGate()
    for environment in [first, second] {
      #expect(try workshop.jobrun("wait", "1", environment: environment).status == 0)
    }
    withExtendedLifetime(opened) {}
  }
}
