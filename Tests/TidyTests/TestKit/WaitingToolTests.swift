import Glibc
import TestKit
import Testing

/// Waiting on files and terminals.
struct WaitingToolTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
  }

  @Test func `a file is awaited even while its folder does not exist`() throws {
    let path = sandbox.path("a/b/file")
    let script = "mkdir -p a; mkdir a/b; echo first > a/b/file; echo second >> a/b/file"
    let child = try sandbox.start("sh", ["-c", script])
    try WaitFor.file(path)
    #expect(try WaitFor.file(path, contains: "second") == "first\nsecond\n")
    #expect(try child.wait().status == 0)
  }

  @Test func `the removal of a file is awaited`() throws {
    let path = try sandbox.write("x", to: "file")
    let child = try sandbox.start("rm", [path])
    try WaitFor.noFile(path)
    #expect(try child.wait().status == 0)
  }

  @Test func `a file that does not come is reported with what is there instead`() throws {
    try sandbox.write("x", to: "other")
    let error = try #require(throws: Overdue.self) {
      try WaitFor.file(sandbox.path("file"), within: .milliseconds(10))
    }
    #expect(error.seen.contains("other"))
  }

  @Test func `a terminal shows what a program writes and types what a test sends`() throws {
    let terminal = try Pseudoterminal(columns: 40)
    let child = try sandbox.start(
      "sh", ["-c", "test -t 2 && stty size; read line; echo got $line"], on: terminal)
    try terminal.read(until: "24 40")
    try terminal.send("hello\n")
    try terminal.read(until: "got hello")
    #expect(try child.wait().status == 0)
    #expect(terminal.transcript.contains("24 40"))
  }

  @Test func `a control key interrupts and closing hangs up`() throws {
    let terminal = try Pseudoterminal()
    // A signal just before a read is seen when that has ended, so each has an end.
    let script =
      "trap 'echo interrupted' INT; trap 'exit 9' HUP; echo ready; while :; do read -t 1 l; done"
    let child = try sandbox.start("bash", ["-c", script], on: terminal)
    try terminal.read(until: "ready")
    try terminal.send("\u{3}")
    try terminal.read(until: "interrupted")
    terminal.close()
    #expect(try child.wait().status == 9)
  }

  @Test func `a new size reaches the program`() throws {
    let terminal = try Pseudoterminal()
    // As above: a signal just before an endless wait would never be seen.
    let script = "trap 'stty size; exit 0' WINCH; echo ready; while :; do read -t 1 l; done"
    let child = try sandbox.start("bash", ["-c", script], on: terminal)
    try terminal.read(until: "ready")
    try terminal.resize(columns: 33, rows: 11)
    try terminal.read(until: "11 33")
    #expect(try child.wait().status == 0)
  }
}
