import JobCore
import JobWire
import TestKit
import Testing

/// A history that keeps one job.
struct HistoryServingTests {
  private let stage: RunnerStage

  init() throws {
    stage = try RunnerStage(settings: #"{"historyLimit": {"count": 1, "days": 30}}"#)
  }

  @Test func `a job that a client follows is not forgotten`() throws {
    let reader = try stage.connect()
    let client = try stage.connect()
    let read = try client.submit()
    try reader.send(1, .follow([.number(read)], attach: false, brief: true))
    #expect(try reader.reply() == .ok(id: 1, .empty))
    stage.executor.end(read)
    for _ in 1...3 { stage.executor.end(try client.submit()) }
    let deadline = Deadline()
    while try isKept(JobNumber(2), client), !deadline.hasPassed {}
    #expect(try !isKept(JobNumber(2), client))
    #expect(try isKept(read, client))
  }

  private func isKept(_ number: JobNumber, _ client: RunnerStage.Client) throws -> Bool {
    try client.send(3, .show(.number(number)))
    if case .ok = try client.reply() { return true }
    return false
  }
}
