import Foundation
import TestKit
import Testing

/// How many transfers of one host run at once (`httpMaximumConnectionsPerHost`).
@Suite(.timeLimit(.minutes(10)))
struct `Transfers of one host` {
  private let content = SessionRun.bytes(300_000)
  private let gate = Gate()

  /// A server that sends half of the files with `late` in their names until the gate is opened.
  private func server() throws -> FileServer {
    try FileServer { [content, gate] request, _ in
      let answer = FileServer.Answer.file(content, to: request)
      return request.path.hasPrefix("/late") ? answer.held(behind: 150_000, gate) : answer
    }
  }

  private func run(atMost most: Int) throws -> SessionRun {
    try SessionRun(["PROBE_CONNECTIONS": "\(most)"])
  }

  private func isQueued(_ name: String, _ run: SessionRun) throws -> Bool {
    try run.jobrun("list", "--json").split(separator: "\n").contains {
      $0.contains("\"subtitle\":\"\(name)\"") && $0.contains("\"state\":\"queued\"")
    }
  }

  @Test func `run no more at once than their session allows`() throws {
    let (run, server) = (try run(atMost: 1), try server())
    let program = try run.start(
      "get=\(server.address("late"))", "get=\(server.address("b"))", "wrote=1", "say=ready",
      "completed=2")
    try run.await("ready")
    #expect(server.requests.count == 1)
    gate.open()
    #expect(try program.wait().status == 0)
    #expect(server.requests.map(\.path) == ["/late", "/b"])
    #expect(run.told("completed") == ["completed 1 0 200", "completed 2 0 200"])
  }

  @Test func `are not held up by one that is slow`() throws {
    let (run, server) = (try run(atMost: 2), try server())
    // Which of them waits for which depends on how many had ended when it was submitted.
    let program = try run.start(
      ["late", "b", "c", "d", "e"].map { "get=\(server.address($0))" } + [
        "completed=4", "say=ready", "completed=5",
      ])
    try run.await("ready")
    #expect(run.told("completed").sorted() == (2...5).map { "completed \($0) 0 200" })
    gate.open()
    #expect(try program.wait().status == 0)
  }

  @Test func `are not held up by one that is suspended, whether the program is there or not`()
    throws
  {
    let (run, server) = (try run(atMost: 1), try server())
    try run.run(
      "get=\(server.address("late"))", "get=\(server.address("b"))", "get=\(server.address("c"))",
      "wrote=1", "first", "suspend", "kill")
    try run.awaitFile(ofTransfer: 2)
    try run.awaitFile(ofTransfer: 3)
    let next = try run.start("completed=2", "say=ready", "first", "resume", "completed=3")
    try run.await("ready")
    #expect(run.told("completed").sorted() == ["completed 2 0 200", "completed 3 0 200"])
    gate.open()
    #expect(try next.wait().status == 0)
  }

  @Test func `keep to it over a restart of the program`() throws {
    let (run, server) = (try run(atMost: 1), try server())
    try run.run("get=\(server.address("late"))", "wrote=1", "kill")
    let program = try run.start("get=\(server.address("b"))", "say=ready", "completed=2")
    try run.await("ready")
    #expect(try isQueued("b", run))
    gate.open()
    #expect(try program.wait().status == 0)
    #expect(run.told("completed") == ["completed 1 0 200", "completed 2 0 200"])
  }

  @Test func `that wait can be suspended, too`() throws {
    let (run, server) = (try run(atMost: 1), try server())
    let program = try run.start(
      "get=\(server.address("late"))", "get=\(server.address("b"))", "suspend", "say=ready",
      "completed=1", "say=first", "go", "resume", "completed=2")
    try run.await("ready")
    gate.open()
    try run.await("first")
    #expect(try isQueued("b", run))
    try run.go()
    #expect(try program.wait().status == 0)
    #expect(run.told("completed") == ["completed 1 0 200", "completed 2 0 200"])
  }
}
