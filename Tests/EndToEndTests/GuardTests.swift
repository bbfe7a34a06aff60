import Foundation
import Glibc
import JobWire
import TestKit
import Testing

/// Small ways in which others, or bad luck, could get at a runner or hold its clients up.
@Suite struct GuardTests {
  @Test func `wait keeps its time when the runner stands still`() throws {
    let workshop = try Workshop()
    try workshop.jobrun("run", "--detach", "--", "sleep", "1000")
    let runner = try RestartTests.runner(workshop)
    kill(runner, SIGSTOP)
    let clock = ContinuousClock()
    var finished: ChildProcess.Finished?
    let time = try clock.measure {
      finished = try workshop.jobrun("wait", "1", "--timeout", "1s")
    }
    kill(runner, SIGCONT)
    #expect(finished?.status == 122)
    #expect(time < .seconds(8))
    #expect(finished?.errors.contains("does not answer") == true)
  }

  @Test func `a runner with too few descriptors says so, and nobody hangs`() throws {
    let workshop = try Workshop()
    for limit in [10, 12, 13, 14, 20] {
      let finished = try workshop.sandbox.run("sh", ["-c", "ulimit -n \(limit); exec jobrun list"])
      #expect(finished.status == 73)
      #expect(finished.errors.contains("only \(limit) files may be open"), "\(finished.errors)")
    }
  }

  @Test func `a job's folder name cannot steer the terminal that lists it`() throws {
    let workshop = try Workshop()
    let name = "\u{1B}[2Jx\u{202E}y\u{9B}m"
    try workshop.define(name, "exit 0")
    for verb in [["jobs"], ["jobs", "--json"]] {
      let told = try workshop.sandbox.run("jobrun", verb)
      let text = told.output + told.errors
      #expect(
        text.unicodeScalars.allSatisfy { !SafeText.isControl($0) || $0 == "\n" }, "\(verb)")
    }
  }

  @Test func `the session folder of another user is not used, and that is said`() throws {
    guard geteuid() == 0 else {
      // Nobody else's folder can be made; an open one stands for it.
      return try expectNotUsed(mode: 0o777, owner: geteuid(), "may be written by others")
    }
    try expectNotUsed(mode: 0o700, owner: 65_534, "belongs to user 65534")
  }

  private func expectNotUsed(mode: Int, owner: UInt32, _ reason: String) throws {
    let sandbox = try Sandbox()
    let session = sandbox.path("session")
    try FileManager.default.createDirectory(
      atPath: session, withIntermediateDirectories: false,
      attributes: [.posixPermissions: mode, .ownerAccountID: NSNumber(value: owner)])
    let environment = [
      "JOBRUN_HOME": "", "XDG_STATE_HOME": sandbox.path("s"), "XDG_CONFIG_HOME": sandbox.path("c"),
      "XDG_RUNTIME_DIR": session,
    ]
    #expect(try sandbox.run("jobrun", ["list"], environment: environment).status == 0)
    let status = try sandbox.run("jobrun", ["runner", "status"], environment: environment)
    #expect(try sandbox.run("jobrun", ["runner", "stop"], environment: environment).status == 0)
    #expect(status.output.contains("XDG_RUNTIME_DIR is not used, as \(session) \(reason)"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: session).isEmpty)
  }
}
