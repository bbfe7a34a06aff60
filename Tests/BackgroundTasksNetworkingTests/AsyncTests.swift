import Foundation
import Glibc
import TestKit
import Testing

@Suite(.timeLimit(.minutes(10)))
struct `An async form in the background` {
  private let run: SessionRun
  private let content = SessionRun.bytes(300_000)

  init() throws { run = try SessionRun() }

  @Test func `gives what the server answers`() throws {
    let server = try SessionRun.server(content)
    #expect(try run.run("data=\(server.address())").status == 0)
    #expect(run.told("data") == ["data 300000 200"])
    #expect(run.leftovers == [])
  }

  @Test(arguments: ["PUT", "GET"])
  func `that is given up is not gone on with by who asks for the same later`(method: String) throws
  {
    let gate = Gate()
    let server = try FileServer { [content] request, number in
      let answer = FileServer.Answer.file(content, to: request)
      return number == 0 ? answer.held(behind: 1000, gate) : answer
    }
    defer { gate.open() }
    let program = try run.start(
      "offer=\(method),\(server.address())", "say=ready", "go", "drop", "given-up=1", "take",
      "completed=1")
    try run.await("ready")
    try server.awaitRequest()
    try run.go()
    let finished = try program.wait()
    #expect(finished.status == 0, "\(finished.errors)")
    #expect(run.told("given-up") == ["given-up -999"])
    #expect(run.told("completed") == ["completed 2 0 200"])
    #expect(run.content("got-2") == content)
  }

  @Test func `of an upload is no download that others share`() throws {
    let gate = Gate()
    let server = try FileServer { [content] request, number in
      let answer = FileServer.Answer.file(content, to: request)
      return number == 0 ? answer.held(behind: 1000, gate) : answer
    }
    let program = try run.start(
      "offer=PUT,\(server.address())", "say=ready", "go", "take", "completed=1", "say=taken",
      "offered=1")
    try run.await("ready")
    try server.awaitRequest()
    try run.go()
    try run.await("taken")
    gate.open()
    let finished = try program.wait()
    #expect(finished.status == 0, "\(finished.errors)")
    #expect(run.told("completed") == ["completed 2 0 200"])
    #expect(run.told("offered") == ["offered 300000"])
  }

  @Test func `that is cancelled leaves its transfer to a task of the same request`() throws {
    let gate = Gate()
    let asked = run.sandbox.path("asked")
    #expect(unsafe mkfifo(asked, 0o600) == 0)
    let server = try FileServer { [content] request, _ in
      try? FileHandle(forWritingAtPath: asked)?.close()
      return FileServer.Answer.file(content, to: request).held(behind: 1000, gate)
    }
    let program = try run.start("leave=\(server.address())", "completed=1")
    try run.await("left")
    gate.open()
    #expect(try program.wait().status == 0)
    #expect(run.told("completed") == ["completed 1 0 200"])
    #expect(run.content("got-1") == content)
    #expect(server.requests.count == 1)
    #expect(run.leftovers == [])
  }

  @Test func `that is cancelled at once leaves one transfer, which is told once`() throws {
    for round in 1...10 {
      // Behind it, as a transfer that has ended is no longer joined by who asks for the same.
      let gate = Gate()
      let server = try FileServer { [content] request, _ in
        FileServer.Answer.file(content, to: request).held(behind: 1000, gate)
      }
      let program = try run.start(
        "hurry=\(server.address("\(round)"))", "say=cancelled-\(round)", "completed=1")
      try run.await("cancelled-\(round) ")
      try run.awaitLeftovers(1)
      gate.open()
      #expect(try program.wait().status == 0)
      #expect(run.told("completed").count == round)
      #expect(run.leftovers == [])
    }
    #expect(run.told("completed").allSatisfy { $0.hasSuffix(" 0 200") })
  }
}
