import Foundation
import TestKit
import Testing

/// The messages about a started job for people and for programs.
@Suite struct FirstLineTests {
  private let workshop: Workshop

  init() throws {
    workshop = try Workshop()
  }

  /// A terminal's output of `jobrun run` and these arguments, up to the receipt.
  private func shown(_ arguments: String..., on terminal: Pseudoterminal) throws -> String {
    let command = try workshop.sandbox.start(
      "jobrun", ["run"] + arguments + ["--", "true"], on: terminal)
    let text = try terminal.read(until: "succeeded in")
    #expect(try command.wait().status == 0)
    return text
  }

  @Test func `a terminal says which job it is, and once in a session how it is left`() throws {
    let terminal = try Pseudoterminal(columns: 80)
    let shell = try workshop.sandbox.start(
      "sh", ["-c", "jobrun run -- true; jobrun run -- true; jobrun run -q -- true"], on: terminal)
    let first = try terminal.read(until: "succeeded in")
    #expect(first.contains("job 1 started · d leaves it running · Ctrl-C cancels it\r\n"))
    let second = try terminal.read(until: "succeeded in")
    #expect(second.contains("job 2 started\r\n"))
    _ = try shell.wait()
    // The third is quiet.
    #expect(!terminal.transcript.contains("job 3"))
    // Another session on the same terminal may be another person's.
    #expect(try shown(on: terminal).contains("Ctrl-C cancels it"))
    #expect(!terminal.transcript.contains("io.jobrun.run."))
  }

  @Test(arguments: [(40, "job 1 started · d leaves\r\n"), (20, "job 1 started\r\n")])
  func `a narrow terminal says less`(columns: UInt16, expected: String) throws {
    let terminal = try Pseudoterminal(columns: columns)
    let command = try workshop.sandbox.start("jobrun", ["run", "--", "true"], on: terminal)
    try terminal.read(until: expected)
    #expect(try command.wait().status == 0)
  }

  @Test func `the settings turn it off`() throws {
    let file = URL(fileURLWithPath: workshop.sandbox.home + "/config.json")
    try Data(#"{"hints": false}"#.utf8).write(to: file)
    #expect(try !shown(on: Pseudoterminal(columns: 80)).contains("started"))
  }

  @Test func `programs get the number and the identifier, unless they want quiet`() throws {
    let attached = try workshop.jobrun("run", "--", "true").output
    #expect(attached.hasPrefix("1 io.jobrun.run."))
    #expect(
      try workshop.jobrun("run", "--detach", "--", "true").output.hasPrefix("2 io.jobrun.run."))
    #expect(try workshop.jobrun("run", "--quiet", "-f", "--", "echo", "hello").output == "hello\n")
  }
}
