import JobCore
import JobWire
import TestKit
import Testing

/// Closed standard streams, and readers that leave early.
@Suite struct StreamTests {
  private let workshop: Workshop

  init() throws {
    workshop = try Workshop()
  }

  /// Runs a script of bash; its last line of output is expected to be an exit code.
  private func run(_ script: String) throws -> ChildProcess.Finished {
    try workshop.sandbox.run("bash", ["-c", script], environment: workshop.environment)
  }

  @Test(arguments: ["2>&-", "<&-", "2>&- <&-"])
  func `a stream that is closed is not mistaken for the connection`(closing: String) throws {
    let finished = try run("jobrun run -- sh -c 'exit 3' \(closing); echo $?")
    #expect(finished.output.hasSuffix("\n3\n"), "\(finished.output) \(finished.errors)")
    #expect(try workshop.show(1).exitCode == 3)
  }

  @Test func `what cannot be printed is said and is no success`() throws {
    let finished = try run("jobrun jobs >&-; echo $?")
    #expect(finished.output == "70\n")
    #expect(finished.errors.contains("standard output"))
  }

  @Test(arguments: ["-f", "--json"])
  func `a job whose reader has left goes on, and the exit code says so`(flag: String) throws {
    let finished = try run(
      "jobrun run \(flag) -- sh -c 'read line < \"$GATE\"' | head -n 1; echo ${PIPESTATUS[0]}")
    #expect(finished.output.hasSuffix("\n122\n"), "\(finished.output)")
    #expect(finished.errors.contains("job 1 keeps running; watch it with jobrun attach 1"))
    let gate = try workshop.openGate()
    defer { gate.signal(9) }
    #expect(try workshop.waitForEnd(1).outcome == .succeeded)
  }

  @Test func `the feed ends with its reader, though nothing happens any more`() throws {
    try workshop.defineGated("gated")
    _ = try workshop.submit("gated")
    try workshop.awaitRunning(1)
    let finished = try run("jobrun feed | head -n 1; echo ${PIPESTATUS[0]}")
    #expect(finished.output.contains("snapshot") && finished.output.hasSuffix("\n0\n"))
  }
}
