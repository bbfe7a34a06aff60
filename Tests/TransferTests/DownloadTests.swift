import Foundation
import JobPage
import TestKit
import Testing

@Suite(.timeLimit(.minutes(10)))
struct `A download` {
  private let download: TransferRun
  private let content = TransferRun.bytes(300_000)

  init() throws { download = try TransferRun("download") }

  /// A good server that has `content`.
  private func server() throws -> FileServer {
    try FileServer { [content] request, _ in .file(content, to: request) }
  }

  @Test func `puts the file under its name, with all of it as progress, and leaves nothing else`()
    throws
  {
    let server = try server()
    let finished = try download.run(server.address("a%20b.bin?x=/1"))
    #expect(finished.status == 0)
    #expect(download.content("a b.bin") == content)
    #expect(try download.names() == ["a b.bin"])
    let page = try download.page()
    #expect(page.completed == 300_000 && page.total == 300_000)
    #expect(page.message == "downloaded 300 kB to ./a b.bin")
  }

  @Test func `an empty file, and one whose length nobody tells, are files, too`() throws {
    let server = try FileServer { request, _ in
      var answer = FileServer.Answer()
      if request.path == "/empty" { answer.fields["Content-Length"] = "0" }
      if request.path == "/endless" { answer.body = Array("all there is".utf8) }
      return answer
    }
    #expect(try download.run(server.address("empty")).status == 0)
    let page = try download.page()
    #expect(page.completed == 0 && page.message == "downloaded 0 bytes to ./empty", "\(page)")
    #expect(try download.run(server.address("endless")).status == 0)
    #expect(download.content("empty") == [])
    #expect(download.content("endless") == Array("all there is".utf8))
  }

  @Test func `goes on behind what a killed attempt had noted`() throws {
    let server = try FileServer { [content] request, number in
      var answer = FileServer.Answer.file(content, to: request)
      if number == 0 {
        answer.sent = 200_000
        answer.isHeld = true
      }
      return answer
    }
    let killed = try download.start([server.address()])
    let notes = download.sandbox.path("file.bin.part.notes")
    try WaitFor.file(notes, contains: "\"done\":200000")
    killed.signal(SIGKILL)
    _ = try killed.wait()
    // It writes the notes anew every second, and may have been killed in the middle of that.
    let left = try download.names().filter { $0 != "file.bin.part.notes.new" }
    #expect(left == ["file.bin.part", "file.bin.part.notes"])

    #expect(try download.run(server.address()).status == 0)
    #expect(download.content() == content)
    #expect(try download.names() == ["file.bin"])
    let second = try #require(server.requests.last)
    #expect(second.start == 200_000, "no byte comes twice")
    #expect(second.fields["if-range"] == "\"one\"")
  }

  @Test func `after a power cut it believes only what was brought to the disk`() throws {
    let server = try server()
    try Data(content.prefix(200_000)).write(
      to: URL(filePath: download.sandbox.path("file.bin.part")))
    let notes = """
      {"address":"\(server.address())","validator":"\\"one\\"","total":300000,"refusesRanges":false,
      "boot":"another start of the machine","pieces":[{"start":0,"end":300000,"done":200000}],
      "durable":[{"start":0,"end":300000,"done":50000}]}
      """
    try download.sandbox.write(notes, to: "file.bin.part.notes")
    #expect(try download.run(server.address()).status == 0)
    #expect(server.requests.map(\.start) == [50_000])
    #expect(download.content() == content)
  }

  @Test func `a file that has changed on the server comes from its start`() throws {
    let new = TransferRun.bytes(250_000, seed: 2)
    let server = try FileServer { [content] request, number in
      var answer = FileServer.Answer.file(
        number == 0 ? content : new, tag: number == 0 ? "\"one\"" : "\"two\"", to: request)
      if number == 0 { answer.sent = 100_000 }
      return answer
    }
    let finished = try download.run(server.address())
    #expect(finished.status == 0)
    #expect(finished.errors.contains("starting over"), "\(finished.errors)")
    #expect(download.content() == new)
  }

  @Test func `a part that is not the one asked for is not taken`() throws {
    let server = try FileServer { [content] request, number in
      var answer = FileServer.Answer.file(content, to: request)
      if number == 0 { answer.sent = 100_000 }
      if number == 1 { answer.fields["Content-Range"] = "bytes 0-199999/300000" }
      return answer
    }
    #expect(try download.run(server.address()).status == 0)
    #expect(download.content() == content)
    #expect(server.requests.map(\.start) == [nil, 100_000, nil])
  }

  @Test
  func `a connection that is cut is taken up again, and a server that asks for patience gets it`()
    throws
  {
    let server = try FileServer { [content] request, number in
      var answer = FileServer.Answer.file(content, to: request)
      switch number {
      case 0: answer.sent = 120_000
      case 1: answer = FileServer.Answer(status: 503, fields: ["Retry-After": "2"])
      default: break
      }
      return answer
    }
    let began = ContinuousClock.now
    let finished = try download.run(server.address())
    #expect(finished.status == 0)
    #expect(download.content() == content)
    #expect(server.requests.map(\.start) == [nil, 120_000, 120_000])
    #expect(ContinuousClock.now - began > .seconds(2))
    #expect(
      finished.errors.contains(
        "the server answered 503: it is not available now; tries again in 2 s"),
      "\(finished.errors)")
  }

  @Test func `comes in pieces where that is asked for, each of which is gone on with`() throws {
    let server = try FileServer { [content] request, number in
      var answer = FileServer.Answer.file(content, to: request)
      if number == 2 { answer.sent = 1000 }
      return answer
    }
    #expect(try download.run("--connections", "3", server.address()).status == 0)
    #expect(download.content() == content)
    let starts = server.requests.compactMap(\.start)
    #expect(server.requests.count == 4 && starts.count == 3, "\(starts)")
  }

  @Test func `a server that sends less than was asked for is asked for the rest`() throws {
    let server = try FileServer { [content] request, number in
      guard number == 1 else {
        var answer = FileServer.Answer.file(content, to: request)
        if number == 0 { answer.sent = 100_000 }
        return answer
      }
      return FileServer.Answer(
        status: 206,
        fields: [
          "ETag": "\"one\"", "Content-Range": "bytes 100000-149999/300000",
          "Content-Length": "50000",
        ], body: Array(content[100_000..<150_000]))
    }
    #expect(try download.run(server.address()).status == 0)
    #expect(download.content() == content)
    #expect(server.requests.map(\.start) == [nil, 100_000, 150_000])
  }

  @Test func `a server that knows no parts after all sends the file over one connection`() throws {
    let server = try FileServer { [content] request, _ in
      var answer = FileServer.Answer.file(content, to: request)
      answer.status = 200
      (answer.body, answer.fields["Content-Range"]) = (content, nil)
      answer.fields["Content-Length"] = "\(content.count)"
      return answer
    }
    let finished = try download.run("--connections", "3", server.address())
    #expect(finished.status == 0, "\(finished.errors)")
    #expect(download.content() == content)
  }

  @Test func `the server's name for the file is made harmless`() throws {
    let server = try FileServer { [content] request, _ in
      var answer = FileServer.Answer.file(content, to: request)
      answer.fields["Content-Disposition"] = "attachment; filename=\"../../evil\\\\name.bin\""
      return answer
    }
    #expect(try download.run(server.address()).status == 0)
    #expect(try download.names() == ["name.bin"])
  }

  @Test func `sends what is in the header file, and to nobody else`() throws {
    let other = try server()
    let address = other.address()
    let server = try FileServer { _, _ in
      FileServer.Answer(
        status: 302, fields: ["Location": address, "Content-Length": "4"], body: Array("over".utf8))
    }
    try download.sandbox.write("Authorization: Bearer secret\n\nX-Client: 7\n", to: "fields")
    #expect(try download.run("--header-file", "fields", server.address()).status == 0)
    #expect(download.content() == content)
    #expect(server.requests.map { $0.fields["authorization"] } == ["Bearer secret"])
    #expect(server.requests.map { $0.fields["x-client"] } == ["7"])
    let told = other.requests.map { [$0.fields["authorization"], $0.fields["x-client"]] }
    #expect(told == [[nil, nil]])
  }

  @Test func `a password in the address is used and shown nowhere`() throws {
    let server = try FileServer { [content] request, _ in
      var answer = FileServer.Answer.file(content, to: request)
      answer.sent = 1000
      answer.isHeld = true
      return answer
    }
    let address = server.address().replacing("http://", with: "http://me:hush@")
    let running = try download.start([address])
    let notes = download.sandbox.path("file.bin.part.notes")
    try WaitFor.file(notes)
    running.signal(SIGTERM)
    let finished = try running.wait()
    let text = try String(contentsOfFile: notes, encoding: .utf8) + finished.errors
    #expect(!text.contains("hush"), "\(text)")
    #expect(try !download.page().message.contains("hush"))
    #expect(server.requests.first?.fields["authorization"] == "Basic bWU6aHVzaA==")
  }
}
