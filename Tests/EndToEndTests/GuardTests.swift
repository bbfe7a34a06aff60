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

  @Test func `wait without time tells what is true`() throws {
    let workshop = try Workshop()
    try workshop.jobrun("run", "--group", "g", "--", "sh", "-c", "exit 7")
    for time in ["0", "0s", "1ms"] {
      for jobs in [["1"], ["group:g"], []] {
        let finished = try workshop.sandbox.run(
          "jobrun", ["wait", "--timeout", time] + jobs, environment: workshop.environment)
        #expect(finished.status == 7, "\(jobs) \(time): \(finished.errors)")
      }
      #expect(try workshop.jobrun("wait", "--all", "--timeout", time).status == 0)
    }
    try workshop.jobrun("run", "--detach", "--hold", "--group", "h", "--", "true")
    for jobs in ["2", "group:h", "--all"] {
      let finished = try workshop.jobrun("wait", jobs, "--timeout", "0")
      #expect(finished.status == 122)
      #expect(!finished.errors.contains("does not answer"), "\(finished.errors)")
    }
  }

  @Test func `a runner with too few descriptors says so, and nobody hangs`() throws {
    let workshop = try Workshop()
    for limit in [10, 12, 13, 14, 20] {
      let finished = try workshop.sandbox.run("sh", ["-c", "ulimit -n \(limit); exec jobrun list"])
      #expect(finished.status == 73)
      // Found either by the runner, or by the command that starts it.
      let isTold = ["only \(limit) files may be open", "Too many open files"]
        .contains { finished.errors.contains($0) }
      #expect(isTold, "\(finished.errors)")
    }
  }

  /// Whether a process may be inspected shows in the owner of its entries in /proc: root, if it neither dumps
  /// core nor can be traced (proc(5)).
  @Test(.runsAsAnotherUser)
  func `the memory of runner and supervisor is hidden, that of the job is its own affair`() throws {
    let workshop = try Workshop()
    try workshop.defineGated("gated")
    // Root owns all entries anyway: another user runs it then.
    let user = geteuid() == 0 ? 65_534 : geteuid()
    let change =
      geteuid() == 0
      ? ["setpriv", "--reuid=\(user)", "--regid=\(user)", "--clear-groups"] : []
    for path in [workshop.sandbox.root, workshop.sandbox.work] {
      #expect(unsafe chmod(path, path == workshop.sandbox.work ? 0o777 : 0o755) == 0)
    }
    #expect(unsafe chown(workshop.sandbox.home, user, user) == 0 || geteuid() != 0)
    #expect(unsafe chmod(workshop.sandbox.home, 0o700) == 0)
    #expect(unsafe chmod(workshop.gate, 0o666) == 0)
    func jobrun(_ arguments: String...) throws -> ChildProcess.Finished {
      try workshop.sandbox.run(
        "/usr/bin/env", change + ["jobrun"] + arguments, environment: workshop.environment)
    }
    let script = "echo $PPID $$ > \"$READY\"; read line < \"$GATE\""
    let submitted = try jobrun("run", "--detach", "--", "sh", "-c", script)
    try #require(submitted.status == 0, "\(submitted)")
    let told = try WaitFor.file(workshop.sandbox.path("ready"), contains: "\n")
    let pids = told.split(whereSeparator: \.isWhitespace).compactMap { Int32($0) }
    let lock = try String(
      contentsOfFile: workshop.sandbox.home + "/state/runner.lock", encoding: .utf8)
    let runner = try #require(lock.split(separator: "\n").last.flatMap { Int32($0) })
    func owner(_ pid: Int32) throws -> UInt32 {
      var status = stat()
      #expect(unsafe stat("/proc/\(pid)/environ", &status) == 0)
      return status.st_uid
    }
    #expect(try pids.count == 2 && owner(pids[1]) == user)
    for pid in [runner, pids[0]] { #expect(try owner(pid) == 0, "\(pid)") }
    #expect(try jobrun("cancel", "1", "--now").status == 0)
    #expect(try jobrun("wait", "1").status == 130)
    #expect(try jobrun("runner", "stop").status == 0)
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
      // Another user's folder cannot be made; an open one stands for it.
      return try expectNotUsed(mode: 0o777, owner: geteuid(), "is writable by everyone")
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
