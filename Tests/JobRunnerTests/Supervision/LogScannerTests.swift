import JobCore
import JobRecognition
import JobRunner
import LinuxSystem
import TestKit
import Testing

@Suite struct LogScannerTests {
  private static func look(at log: String) throws -> LogScanner {
    var observation = Observation()
    observation.recognition = .auto
    return try #require(LogScanner(observation, startedNanoseconds: 0))
  }

  private static func second(_ number: UInt64) -> Instant {
    Instant(nanoseconds: number * 1_000_000_000)
  }

  @Test func `only the newest part of a long output is read, and its start once`() throws {
    let sandbox = try Sandbox()
    let log = sandbox.path("log")
    var look = try Self.look(at: log)
    let noise = String(repeating: "[9/9] noise\n", count: 20_000)
    try sandbox.write("[1/8] first\n" + noise + "[2/8] newest\n", to: "log")
    look.look(log: log, below: nil, at: Self.second(1))
    #expect(look.finding?.counts == ProgressCounts(completed: 2, total: 8))
    try sandbox.write("[1/8] first\n" + noise + noise + "[3/8] newest\n", to: "log")
    look.look(log: log, below: nil, at: Self.second(2))
    #expect(look.finding?.counts == ProgressCounts(completed: 3, total: 8))
  }

  @Test func `looks close together are one`() throws {
    let sandbox = try Sandbox()
    let log = sandbox.path("log")
    var look = try Self.look(at: log)
    try sandbox.write("[1/8] a\n", to: "log")
    look.look(log: log, below: nil, at: Self.second(1))
    try sandbox.write("[1/8] a\n[2/8] b\n", to: "log")
    look.look(log: log, below: nil, at: Instant(nanoseconds: 1_100_000_000))
    #expect(look.finding?.counts.completed == 1)
    look.look(log: log, below: nil, at: Self.second(2))
    #expect(look.finding?.counts.completed == 2)
  }

  @Test func `a log that is missing, or was cut, is no trouble`() throws {
    let sandbox = try Sandbox()
    let log = sandbox.path("log")
    var look = try Self.look(at: log)
    look.look(log: log, below: nil, at: Self.second(1))
    #expect(look.finding == nil)
    try sandbox.write("[1/8] a\n[2/8] b\n", to: "log")
    look.look(log: log, below: nil, at: Self.second(2))
    try sandbox.write("[3/8] c\n", to: "log")
    look.look(log: log, below: nil, at: Self.second(3))
    try sandbox.write("[3/8] c\n[4/8] d\n", to: "log")
    look.look(log: log, below: nil, at: Self.second(4))
    #expect(look.finding?.counts.completed == 4)
  }

  @Test func `nothing is looked at when nothing is to be looked for`() {
    #expect(LogScanner(Observation(), startedNanoseconds: 0) == nil)
  }
}
