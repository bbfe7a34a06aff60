import Foundation
import JobCore
import JobWire
import TestKit
import Testing

@testable import jobrun

/// The outputs of what runs and of what starts meanwhile.
@Suite struct FollowedLogsTests {
  private let sandbox: Sandbox
  private let paths: Paths

  init() throws {
    sandbox = try Sandbox()
    paths = try Paths(environment: ["JOBRUN_HOME": sandbox.path("home")], user: 1)
  }

  private func jobs(_ states: [UInt64: JobStatus.State]) -> [JobStatus] {
    states.sorted { $0.key < $1.key }.map { number, state in
      var job = Sample.job(state)
      job.number = JobNumber(number)
      return job
    }
  }

  private func write(_ text: String, of number: UInt64) throws {
    let log = URL(fileURLWithPath: paths.log(JobNumber(number)))
    try FileManager.default.createDirectory(
      at: log.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: log)
  }

  private func logs(isJSON: Bool = false) throws -> FollowedLogs {
    let number = unsafe open(try sandbox.write("", to: "out"), O_WRONLY | O_APPEND)
    try #require(number >= 0)
    return FollowedLogs(
      nil, lines: nil, hasTags: true, isJSON: isJSON, data: Output(number))
  }

  private var printed: String {
    get throws { try String(contentsOfFile: sandbox.path("out"), encoding: .utf8) }
  }

  @Test func `a job that starts and ends between two lists is printed`() throws {
    var logs = try logs()
    try write("old\n", of: 1)
    try write("one\n", of: 2)
    try logs.update(jobs([2: .running, 3: .queued]), newest: JobNumber(3), paths)
    #expect(try printed == "2\tone\n")
    // What waited, what came, and what came and has been forgotten.
    try write("two\n", of: 3)
    try write("three\n", of: 4)
    try logs.update(jobs([2: .running]), newest: JobNumber(5), paths)
    #expect(try printed == "2\tone\n3\ttwo\n4\tthree\n")
    #expect(!logs.isOver)
    try write("five", of: 6)
    try logs.update([], newest: JobNumber(6), paths)
    #expect(try printed == "2\tone\n3\ttwo\n4\tthree\n6\tfive\n")
    #expect(logs.isOver)
  }

  @Test func `a job that came before its list is printed once it runs`() throws {
    var logs = try logs()
    try logs.update(jobs([1: .running]), newest: JobNumber(1), paths)
    try write("two\n", of: 2)
    try logs.update(jobs([1: .running, 2: .running, 3: .queued]), newest: JobNumber(1), paths)
    try logs.update(jobs([3: .queued]), newest: JobNumber(3), paths)
    #expect(try printed == "2\ttwo\n")
    // Nothing runs, and nothing but a person lets the waiting one start.
    #expect(logs.isOver)
  }

  @Test func `what waits for its next attempt, or for its turn after a pause, is not over`() throws
  {
    var logs = try logs()
    try logs.update(jobs([1: .running, 2: .queued]), newest: JobNumber(2), paths)
    try logs.update(jobs([1: .queued, 2: .queued]), newest: JobNumber(2), paths)
    #expect(!logs.isOver)
    var next = jobs([2: .queued])
    next[0].pendingReason = PendingReason(.pace, "job 1 has just started")
    try logs.update(next, newest: JobNumber(2), paths)
    #expect(!logs.isOver)
  }

  @Test func `programs get the lines of several jobs, too`() throws {
    var logs = try logs(isJSON: true)
    try write("a\nb", of: 1)
    try write("c\n", of: 2)
    try logs.update(jobs([1: .running, 2: .running]), newest: JobNumber(2), paths)
    try logs.update([], newest: JobNumber(2), paths)
    #expect(
      try printed == """
        {"number":1,"line":1,"text":"a"}
        {"number":2,"line":1,"text":"c"}
        {"number":1,"line":2,"text":"b"}

        """)
  }
}
