import JobCore
import JobRunner
import JobWire
import LinuxSystem
import TestKit
import Testing

/// Attempts that were given up and may still run elsewhere.
struct AttemptsLeftTests {
  private let sandbox: Sandbox
  private var path: String { sandbox.path("elsewhere") }

  init() throws { sandbox = try Sandbox() }

  @Test func `the next runner knows of it, until it has ended there`() throws {
    var left = AttemptsLeft(path)
    try left.insert(EngineAttempt(JobNumber(12), 1), of: "tower", hasStarted: true)
    try left.insert(EngineAttempt(JobNumber(3), 2), of: "tower", hasStarted: false)
    try left.insert(EngineAttempt(JobNumber(4), 1), of: "attic", hasStarted: false)
    left = AttemptsLeft(path)
    #expect(left.names == ["attic", "tower"])
    let known = left.all(of: "tower")
    #expect(
      known.map(\.attempt) == [EngineAttempt(JobNumber(3), 2), EngineAttempt(JobNumber(12), 1)])
    // An attempt that has not begun never will: it is not only ended through Slurm.
    #expect(known.map(\.hasStarted) == [false, true])
    #expect(!left.contains(EngineAttempt(JobNumber(4), 1), of: "tower"))
    left.remove(EngineAttempt(JobNumber(4), 1))
    left.remove(EngineAttempt(JobNumber(99), 1))
    #expect(AttemptsLeft(path).names == ["tower"])
    for adoption in left.all(of: "tower") { left.remove(adoption.attempt) }
    #expect(!File.exists(path))
  }

  @Test func `it delays the next attempt of its job, and what wants GPUs of its machine`() throws {
    var left = AttemptsLeft(path)
    try left.insert(EngineAttempt(JobNumber(12), 1), of: "tower", hasStarted: true)
    #expect(left.delays(JobNumber(12), on: "tower", withGPUs: false))
    #expect(left.delays(JobNumber(12), on: "attic", withGPUs: false))
    #expect(left.delays(JobNumber(13), on: "tower", withGPUs: true))
    #expect(!left.delays(JobNumber(13), on: "tower", withGPUs: false))
    #expect(!left.delays(JobNumber(13), on: "attic", withGPUs: true))
    left.remove(EngineAttempt(JobNumber(12), 1))
    #expect(!left.delays(JobNumber(12), on: "tower", withGPUs: true))
  }

  @Test(arguments: [
    "", "\n\n", "tower", "tower 1", "tower 1.", "tower 0.1", "tower 1.0", "tower -1.1",
    "tower 1.-1",
    "tower 18446744073709551615.1", "tower 1.18446744073709551615", "tower 1.9223372036854775807",
    "../x 1.1", "here 1.1", "tower 1.1 1.2", "tower 1.1 begun x",
    "tower 1.1 began", " \u{301}1.1", "tower 1.1.1", "\0\0\0 1.1",
  ])
  func `what is no line of it is passed over`(_ line: String) throws {
    try File.writeAtomically(Array("\(line)\nattic 7.1\n".utf8), to: path)
    let left = AttemptsLeft(path)
    #expect(left.names == ["attic"])
  }
}
