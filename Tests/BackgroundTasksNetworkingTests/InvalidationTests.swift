import Foundation
import TestKit
import Testing

@Suite(.timeLimit(.minutes(10)))
struct `A session that is invalidated` {
  private let run: SessionRun
  private let content = SessionRun.bytes(300_000)

  init() throws { run = try SessionRun() }

  @Test func `says so once its tasks have ended`() throws {
    let server = try SessionRun.server(content)
    try run.run("get=\(server.address())", "invalidate", "invalid")
    #expect(run.told("completed") == ["completed 1 0 200"])
    #expect(run.diary.last == "invalid")
  }

  @Test func `is one of the background again when it is made again`() throws {
    let server = try SessionRun.server(content)
    let finished = try run.run(
      "get=\(server.address())", "completed=1", "invalidate", "invalid", "remake",
      "get=\(server.address())", "completed=2", "invalidate", "invalid=2")
    #expect(finished.status == 0 && finished.errors.isEmpty, "\(finished.errors)")
    let downloads = try run.jobrun("list", "--all").split(separator: "\n").count {
      $0.contains("Download")
    }
    #expect(downloads == 2)
    #expect(run.told("completed").count == 2)
  }

  @Test func `and made again before all have ended, goes on with them`() throws {
    let gate = Gate()
    let server = try FileServer { [content] request, _ in
      let answer = FileServer.Answer.file(content, to: request)
      return request.path == "/late" ? answer.held(behind: 1000, gate) : answer
    }
    let program = try run.start(
      "get=\(server.address("late"))", "wrote=1", "invalidate", "remake", "invalid", "say=ready",
      "get=\(server.address("soon"))", "completed=2")
    try run.await("completed 2")
    gate.open()
    let finished = try program.wait()
    #expect(finished.status == 0 && finished.errors.isEmpty, "\(finished.errors)")
    #expect(run.told("completed") == ["completed 2 0 200", "completed 1 0 200"])
    #expect(run.told("invalid") == ["invalid"])
  }

  @Test func `takes no more tasks`() throws {
    let gate = Gate()
    let server = try FileServer { [content] request, _ in
      FileServer.Answer.file(content, to: request).held(behind: 1000, gate)
    }
    let program = try run.start(
      "get=\(server.address())", "wrote=1", "invalidate", "get=\(server.address())", "completed=1",
      "data=\(server.address())", "say=refused", "completed=2", "invalid",
      "get=\(server.address())", "data=\(server.address())", "say=end")
    try run.await("refused")
    gate.open()
    let finished = try program.wait()
    #expect(finished.status == 0, "\(finished.errors)")
    #expect(run.told("completed") == ["completed -2 -997 0", "completed 1 0 200"])
    #expect(run.told("data").count == 2 && run.told("data").allSatisfy { $0.contains("-997") })
    #expect(server.requests.count == 1)
    #expect(run.leftovers == [])
  }
}
