import Foundation
import JobPage
import TestKit
import Testing

@Suite(.timeLimit(.minutes(10)))
struct `A download from servers as they are` {
  private let download: TransferRun
  private let content = TransferRun.bytes(50_000)

  init() throws { download = try TransferRun("download") }

  @Test func `that send a visitor on until he brings their cookie`() throws {
    let server = try FileServer { [content] request, _ in
      request.fields["cookie"] == "seen=1"
        ? .file(content, to: request)
        : FileServer.Answer(
          status: 302, fields: ["Location": request.path, "Set-Cookie": "seen=1; Path=/"])
    }
    #expect(try download.run(server.address()).status == 0)
    #expect(download.content() == content)
    #expect(server.requests.count == 2)
  }

  @Test(
    arguments: [
      // A weak tag does not identify bytes.
      ["ETag": "W/\"one\""],
      // Within the second it may have changed again.
      [
        "Last-Modified": "Mon, 23 Nov 2026 01:41:00 GMT", "Date": "Mon, 23 Nov 2026 01:41:00 GMT",
      ],
    ])
  func `that vouch for no bytes are asked from the start`(fields: [String: String]) throws {
    let server = try FileServer { [content] request, number in
      var answer = FileServer.Answer.file(content, to: request)
      answer.fields["ETag"] = nil
      answer.fields.merge(fields) { $1 }
      if number == 0 { answer.sent = 10_000 }
      return answer
    }
    #expect(try download.run(server.address()).status == 0)
    #expect(download.content() == content)
    #expect(server.requests.map(\.start) == [nil, nil])
  }

  @Test func `that pack it although nobody asked are refused, but under a name that tells so`()
    throws
  {
    let server = try FileServer { [content] request, _ in
      var answer = FileServer.Answer.file(content, to: request)
      answer.fields["Content-Encoding"] = "gzip"
      return answer
    }
    #expect(try download.run(server.address()).status == 1)
    #expect(
      try download.page().message
        == "cannot download \(server.address()): the server sends it packed (gzip), which was not"
        + " requested; with file.bin.gz for TARGET it is kept as it comes")
    #expect(try download.names() == [])
    let finished = try download.run(server.address(), "file.bin.gz")
    #expect(finished.status == 0)
    #expect(
      finished.errors.contains("the server sends it packed (gzip); it is kept as it comes"),
      "\(finished.errors)")
    #expect(download.content("file.bin.gz") == content)
  }

  @Test func `that want a POST get its body, and give the file once`() throws {
    let server = try FileServer { [content] request, _ in
      var answer = FileServer.Answer.file(content, to: request)
      answer.status = 201
      return answer
    }
    try download.sandbox.write("name=Ada", to: "question")
    let question = download.sandbox.path("question")
    #expect(
      try download.run("--method", "POST", "--body", question, server.address()).status == 0)
    #expect(download.content() == content)
    #expect(server.requests.map { String(decoding: $0.body, as: UTF8.self) } == ["name=Ada"])
    #expect(try download.run("--body", question, server.address()).status == 64)
    #expect(try download.page().message.contains("a GET has no body"))
    #expect(try download.run("--method", "LOOK", server.address()).status == 64)
  }

  @Test func `that know no parts are asked from the start, and are not said to have changed it`()
    throws
  {
    let server = try FileServer { [content] request, number in
      var request = request
      request.fields["range"] = nil
      var answer = FileServer.Answer.file(content, to: request)
      answer.fields["Accept-Ranges"] = nil
      if number == 0 { answer.sent = 10_000 }
      return answer
    }
    let finished = try download.run(server.address())
    #expect(finished.status == 0)
    #expect(
      finished.errors.contains("from its beginning: it knows no parts; starting over"),
      "\(finished.errors)")
    #expect(download.content() == content)
  }

  @Test(arguments: [
    ("a b.bin", "/a%20b.bin"), ("100%.bin", nil), ("../up.bin", "/up.bin"), ("?x=1", nil),
    ("//127.0.0.1:PORT/other.bin#part", "/other.bin"), ("na\u{EF}ve.bin", nil),
  ])
  func `that write addresses carelessly are followed, with a header file and without`(
    location: String, path: String?
  ) throws {
    let server = try FileServer { [content] request, _ in
      guard request.path == "/file.bin" else { return .file(content, to: request) }
      let port = request.fields["host"]?.split(separator: ":").last ?? ""
      return FileServer.Answer(
        status: 302, fields: ["Location": location.replacing("PORT", with: port)])
    }
    try download.sandbox.write("X-Client: 7", to: "fields")
    for options in [[], ["--header-file", "fields"]] {
      let finished = try download.start(options + ["--force", server.address()]).wait()
      #expect(finished.status == 0, "\(finished.errors)")
      #expect(download.content() == content)
      let asked = server.requests.last?.path
      #expect(path == nil || asked == path, "\(asked ?? "")")
    }
  }
}
