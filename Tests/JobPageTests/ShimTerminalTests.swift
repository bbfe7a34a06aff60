import JobPage
import LinuxSystem
import TestKit
import Testing

/// A worker with its own terminal.
struct ShimTerminalTests {
  private static let size = LaunchOrder.TerminalSize(columns: 100, rows: 30)

  @Test func `the worker has a terminal of the wanted size, and its log ordinary lines`() throws {
    let scratch = try Scratch()
    let script =
      "tty <&2 | cut -c1-9; stty size <&1; [ $(ps -o tpgid= $$) -gt 0 ] && echo own; exit 7"
    let attempt = try Attempt(scratch.path, script: script, terminal: Self.size)
    _ = try attempt.started()
    #expect(try attempt.ended().status == .exited(7))
    #expect(try attempt.log() == "/dev/pts/\n30 100\nown\n")
  }

  @Test func `everything that was written is in the log, whoever wrote it last`() throws {
    let scratch = try Scratch()
    // Ignored before the fork: what the worker leaves behind gets SIGTERM at once.
    let script = "trap '' HUP TERM; (seq 1 50000; echo last) & exit 0"
    let attempt = try Attempt(scratch.path, script: script, terminal: Self.size)
    _ = try attempt.started()
    #expect(try attempt.ended().status == .exited(0))
    let lines = try attempt.log().split(separator: "\n")
    #expect(lines.count == 50001)
    #expect(lines.last == "last")
  }

  @Test func `a log that takes nothing holds nobody up`() throws {
    let scratch = try Scratch()
    let attempt = try Attempt(
      scratch.path, script: "seq 1 100000; exit 5", log: "/dev/full", terminal: Self.size)
    _ = try attempt.started()
    #expect(try attempt.ended().status == .exited(5))
  }

  @Test func `a worker that does not exist is told in the log, with a terminal too`() throws {
    let scratch = try Scratch()
    let attempt = try Attempt(scratch.path, ["/nowhere/at/all"], terminal: Self.size)
    _ = try attempt.started()
    guard case .cannotStart = try attempt.ended().status else {
      Issue.record("it started")
      return
    }
    #expect(try attempt.log().contains("/nowhere/at/all"))
  }
}
