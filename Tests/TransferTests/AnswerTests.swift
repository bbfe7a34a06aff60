import Foundation
import JobPage
import TestKit
import Testing

@Suite(.timeLimit(.minutes(10)))
struct `What a server answers to a program's transfer` {
  private let content = TransferRun.bytes(300_000)

  /// An answer as the program finds it.
  private struct Left: Decodable {
    var address: String
    var status: Int?
  }

  private func left(_ run: TransferRun) throws -> Left {
    try JSONDecoder().decode(Left.self, from: Data(run.content("answer") ?? []))
  }

  private func upload() throws -> TransferRun {
    let run = try TransferRun(uploading: content)
    try run.sandbox.write("X-Client: 7\nContent-Type: text/plain", to: "fields")
    return run
  }

  @Test func `comes from where it was sent on to`() throws {
    let download = try TransferRun("download")
    let server = try FileServer { [content] request, _ in
      request.path == "/old"
        ? FileServer.Answer(status: 302, fields: ["Location": "/new"])
        : .file(content, to: request)
    }
    #expect(
      try download.run("--answer", "answer", server.address("old"), "file.bin").status == 0)
    let answer = try left(download)
    #expect(answer.address == server.address("new") && answer.status == 200)
  }

  @Test func `to a part that is not to be had now costs nothing of what has come`() throws {
    let download = try TransferRun("download")
    let server = try FileServer { [content] request, number in
      if number == 1 { return FileServer.Answer(status: 503, body: Array("busy".utf8)) }
      var answer = FileServer.Answer.file(content, to: request)
      if number == 0 { answer.sent = 200_000 }
      return answer
    }
    let finished = try download.run("--answer", "answer", server.address(), "file.bin")
    #expect(finished.status == 0, "\(finished.errors)")
    #expect(download.content() == content)
    #expect(server.requests.map(\.start) == [nil, 200_000, 200_000])
    #expect(try left(download).status == 200)
  }

  @Test func `to a part that is gone is what it says of the whole`() throws {
    let download = try TransferRun("download")
    let server = try FileServer { [content] request, number in
      guard number == 0 else { return FileServer.Answer(status: 410, body: Array("gone".utf8)) }
      var answer = FileServer.Answer.file(content, to: request)
      answer.sent = 200_000
      return answer
    }
    #expect(
      try download.run("--answer", "answer", server.address(), "file.bin").status == 0)
    #expect(download.content() == Array("gone".utf8))
    #expect(try left(download).status == 410)
  }

  @Test(arguments: [301, 302, 307, 308], ["PUT", "POST"])
  func `is that of the place which gets the file`(status: Int, method: String) throws {
    let upload = try upload()
    let other = try FileServer { _, _ in FileServer.Answer(status: 201) }
    let place = other.address("real")
    let server = try FileServer { _, _ in
      FileServer.Answer(status: status, fields: ["Location": place])
    }
    let finished = try upload.run(
      "--answer", "answer", "--header-file", "fields", "--method", method, "trip.tar",
      server.address("x"))
    #expect(finished.status == 0, "\(finished.errors)")
    #expect(other.requests.map(\.method) == [method])
    #expect(other.requests.map(\.body) == [content])
    #expect(other.requests.first?.fields["x-client"] == nil)
    #expect(other.requests.first?.fields["content-type"] == "text/plain")
    let answer = try left(upload)
    #expect(answer.address == place && answer.status == 201)
  }

  @Test func `is fetched where it lies elsewhere, without the file`() throws {
    let upload = try upload()
    let server = try FileServer { request, _ in
      request.path == "/x"
        ? FileServer.Answer(status: 303, fields: ["Location": "seen"])
        : FileServer.Answer(status: 200, body: Array("thanks".utf8))
    }
    let finished = try upload.run(
      "--answer", "answer", "--answer-body", "body", "--method", "PUT", "trip.tar",
      server.address("x"))
    #expect(finished.status == 0, "\(finished.errors)")
    #expect(server.requests.map(\.method) == ["PUT", "GET"])
    #expect(server.requests.last?.body == [])
    #expect(upload.content("body") == Array("thanks".utf8))
  }

  @Test func `that leads in circles is none`() throws {
    let upload = try upload()
    let server = try FileServer { _, _ in
      FileServer.Answer(status: 307, fields: ["Location": "x"])
    }
    let arguments = ["--answer", "answer", "--method", "PUT", "trip.tar", server.address("x")]
    #expect(try upload.start(arguments).wait().status == 1)
    #expect(
      try upload.page().message.hasSuffix("it redirects without end"))
  }

  @Test func `to a question of ours is not the answer`() throws {
    let upload = try upload()
    let (heads, ends) = (Counter(), Counter())
    let server = try ResumableServer(taking: 120_000) { request in
      // The first question how much it has, and the last part once, are met by a busy server.
      let isFirst =
        request.method == "HEAD"
        ? heads.next() == 1 : request.fields["upload-offset"] == "240000" && ends.next() == 1
      return isFirst ? FileServer.Answer(status: 503) : nil
    }
    let finished = try upload.run(
      "--answer", "answer", "--header-file", "fields", "--method", "PUT", "trip.tar",
      server.address)
    #expect(finished.status == 0, "\(finished.errors)")
    #expect(server.content == content)
    #expect(try left(upload).status == 201)
    let patch = try #require(server.requests.last)
    #expect(patch.fields["content-type"] == "application/partial-upload")
  }
}
