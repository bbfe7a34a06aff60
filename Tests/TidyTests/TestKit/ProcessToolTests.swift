import Glibc
import TestKit
import Testing

/// The tools that other tests rely on: a tool that is wrong makes every test above it wrong.
struct ProcessToolTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
  }

  @Test func `a finished process gives its status and both streams`() throws {
    let done = try sandbox.run("sh", ["-c", "echo out; echo err >&2; exit 7"])
    #expect(done.status == 7)
    #expect(done.output == "out\n")
    #expect(done.errors == "err\n")
  }

  @Test func `a process ended by a signal has no status`() throws {
    let done = try sandbox.run("sh", ["-c", "kill -TERM $$"])
    #expect(done.ending == .signalled(SIGTERM))
    #expect(done.status == nil)
  }

  @Test func `more output than a pipe holds does not block`() throws {
    let done = try sandbox.run("sh", ["-c", "head -c 1000000 /dev/zero; echo; exit 0"])
    #expect(done.output.utf8.count == 1_000_001)
  }

  @Test func `a grandchild that keeps the streams does not prolong the wait`() throws {
    let done = try sandbox.run("sh", ["-c", "cat <>\(fifo()) & echo here"])
    #expect(done.output == "here\n")
    #expect(!sandbox.processes.isEmpty)
    sandbox.endProcesses()
    #expect(sandbox.processes.isEmpty)
  }

  @Test func `a wait past its deadline says what was awaited and seen`() throws {
    let child = try sandbox.start("sh", ["-c", "echo begun; exec cat <>\(fifo())"])
    try child.wait(for: "begun")
    let error = try #require(throws: Overdue.self) { try child.wait(within: .milliseconds(20)) }
    #expect(error.description.contains("the end of `sh -c"))
    #expect(error.seen.contains("begun"))
    #expect(child.isRunning)
    child.signal(SIGKILL)
    #expect(try child.wait().ending == .signalled(SIGKILL))
  }

  @Test func `text that can no longer come is not waited for`() throws {
    let child = try sandbox.start("true")
    #expect(throws: Overdue.self) { try child.wait(for: "never", within: .seconds(600)) }
  }

  @Test func `a process has its own environment folder and input`() throws {
    let done = try sandbox.run(
      "sh", ["-c", "cat; pwd; echo $JOBRUN_HOME $EXTRA"], environment: ["EXTRA": "more"],
      input: "typed\n")
    #expect(done.output == "typed\n\(sandbox.work)\n\(sandbox.home) more\n")
  }

  @Test func `what cannot be started is an error that names it`() throws {
    let error = try #require(throws: SystemCallFailure.self) {
      _ = try sandbox.start("/nowhere/program")
    }
    #expect(error.description.contains("/nowhere/program"))
  }

  @Test func `a sandbox leaves neither files nor processes`() throws {
    var root = ""
    var child: Int32 = 0
    try withSandbox { inner in
      root = inner.root
      // A new session without the parent: only the environment identifies it.
      let done = try inner.run("sh", ["-c", "setsid cat <>\(fifo()) >/dev/null 2>&1 & echo $!"])
      child = try #require(inner.processes.first)
      #expect(done.status == 0)
    }
    try WaitFor.end(ofProcess: child)
    #expect(unsafe access(root, F_OK) != 0)
  }

  @Test func `the end of certain processes is awaited and those left are named`() throws {
    let child = try sandbox.start("sh", ["-c", "echo begun; exec cat <>\(fifo())"])
    try child.wait(for: "begun")
    let error = try #require(throws: Overdue.self) {
      try sandbox.waitForEnd(ofProcessesRunning: "cat", within: .milliseconds(20))
    }
    #expect(error.seen.hasPrefix("\(child.pid): "))
    child.signal(SIGKILL)
    try sandbox.waitForEnd(ofProcessesRunning: "cat")
    #expect(sandbox.processes(running: "cat").isEmpty)
  }

  @Test func `built executables lie beside the running tests`() throws {
    #expect(try BuiltProducts.path("jobrun-shim").hasSuffix("/jobrun-shim"))
    #expect(throws: BuiltProducts.Missing.self) { try BuiltProducts.path("no-such-product") }
    #expect(unsafe access(BuiltProducts.packageRoot + "/Package.swift", R_OK) == 0)
  }

  /// A named pipe without a writer: opened for both directions, reading it blocks for ever.
  private func fifo() -> String {
    let path = sandbox.path("endless")
    _ = unsafe mkfifo(path, 0o600)
    return path
  }
}
