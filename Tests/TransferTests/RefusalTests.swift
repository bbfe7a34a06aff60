import Foundation
import JobPage
import TestKit
import Testing

@Suite(.timeLimit(.minutes(10)))
struct `What a download refuses` {
  private let download: TransferRun
  private let content = TransferRun.bytes(50_000)

  init() throws { download = try TransferRun("download") }

  private func server(
    _ change: @escaping @Sendable (inout FileServer.Answer) -> Void = { _ in }
  ) throws -> FileServer {
    try FileServer { [content] request, _ in
      var answer = FileServer.Answer.file(content, to: request)
      change(&answer)
      return answer
    }
  }

  @Test(
    arguments: [
      (
        ["ftp://example.org/x"],
        "ftp://example.org/x has the scheme ftp; transfers know http and https"
      ),
      (
        ["example.org/x"], "example.org/x is not an address; it must begin with http:// or https://"
      ),
      (["http:///x"], "http:///x names no host; it must be like https://example.org/file"),
      (["http://:80/x"], "names no host"),
      (["http://h/a b"], "has a blank or a control character in it; write %20 for a blank"),
      ([], "download takes URL and maybe TARGET; it was given 0 arguments"),
      (
        ["--sha256", "12", "http://h/"],
        "--sha256 12 is not a SHA-256; it must be 64 hexadecimal digits, or one line of sha256sum"
      ),
      (["--connections", "0", "http://h/"], "--connections 0 must be a number from 1 to 16"),
      (["--limit-rate", "fast", "http://h/"], "must be bytes a second, such as 500k or 2M"),
      (["--header-file", "none", "http://h/"], "--header-file none cannot be read: No such file"),
      (["--forse", "http://h/"], "download has no flag --forse; see jobrun help download"),
    ] as [([String], String)])
  func `a command line that makes no sense, before anything is asked`(
    arguments: [String], sentence: String
  ) throws {
    #expect(try download.start(arguments).wait().status == 64)
    let said = try download.page().message
    #expect(said.contains(sentence), "\(said)")
    #expect(try download.names() == [])
  }

  @Test(
    arguments: [
      (404, "the server answered 404: there is no such file"),
      (401, "the server answered 401: it requires authentication"),
      (204, "the server answered 204: there is nothing"),
    ])
  func `an answer that is no file, at once`(status: Int, sentence: String) throws {
    let server = try server {
      $0 = FileServer.Answer(status: status)
    }
    #expect(try download.run(server.address()).status == 1)
    let said = try download.page().message
    #expect(said == "cannot download \(server.address()): \(sentence)")
    #expect(server.requests.count == 1)
    #expect(try download.names() == [])
  }

  /// With a header file it is not the library that goes where it is sent to.
  @Test(arguments: [[], ["--header-file", "fields"]])
  func `a redirect to a file of this machine, and one that leads to itself`(flags: [String]) throws
  {
    let server = try FileServer { request, _ in
      FileServer.Answer(
        status: 302,
        fields: ["Location": request.path == "/own" ? "file:///etc/passwd" : request.path])
    }
    try download.sandbox.write("X-Client: 7", to: "fields")
    #expect(try download.start(flags + [server.address("own"), "x"]).wait().status == 1)
    #expect(
      try download.page().message.hasSuffix(
        "/own: it redirects to an address that is neither http nor https"))
    #expect(try download.start(flags + [server.address("loop"), "x"]).wait().status == 1)
    #expect(
      try download.page().message.hasSuffix(
        "/loop: it redirects without end"))
    #expect(try download.names() == ["fields"])
  }

  @Test func `a name that somebody has, unless it may be replaced`() throws {
    let server = try server()
    try download.sandbox.write("precious", to: "file.bin")
    #expect(try download.run(server.address()).status == 1)
    #expect(
      try download.page().message
        == "cannot write ./file.bin: it is there already; --force replaces it")
    #expect(download.content() == Array("precious".utf8))
    #expect(try download.run("--force", server.address()).status == 0)
    #expect(download.content() == content)
  }

  @Test func `a part that it knows nothing of, or that another download writes`() throws {
    let server = try server { answer in
      answer.sent = 1000
      answer.isHeld = true
    }
    try download.sandbox.write("somebody's", to: "other.part")
    #expect(try download.run(server.address(), "other").status == 1)
    #expect(try download.page().message.contains("it is not an interrupted download of this"))
    #expect(server.requests.isEmpty)

    let first = try download.start([server.address()])
    try WaitFor.file(download.sandbox.path("file.bin.part.notes"))
    #expect(try download.run(server.address()).status == 1)
    #expect(try download.page().message.contains("another download is writing it"))
    first.signal(SIGKILL)
    _ = try first.wait()
  }

  @Test func `a folder that is not there, before the server is asked`() throws {
    let server = try server()
    #expect(try download.run(server.address(), "no/where").status == 1)
    #expect(try download.page().message.contains("cannot write no/where.part: No such file"))
    #expect(try download.run(server.address(), "folder/").status == 1)
    #expect(try download.page().message == "cannot write folder/: there is no such folder")
    #expect(server.requests.isEmpty)
  }

  @Test func `a body that goes on behind the length that was announced`() throws {
    let server = try server { answer in
      answer.fields["Content-Length"] = "7"
      answer.fields["Transfer-Encoding"] = "chunked"
      answer.body = Array(String(repeating: "5\r\n01234\r\n", count: 200_000).utf8)
    }
    #expect(try download.run(server.address()).status == 1)
    #expect(
      try download.page().message
        == "./file.bin.part does not have the expected content: the server sends more than the 7 bytes that it"
        + " announced")
    #expect(try download.names() == ["file.bin.part"])
    #expect(download.content("file.bin.part")?.count == 7)
    #expect(server.requests.count == 1)
  }

  /// Read in blocks of 1 KB, so that most of it arrives when the library has the announced length, and has
  /// closed.
  @Test func `a body that goes on where it was to end, from a server that closes behind it`() throws
  {
    let server = try server { answer in
      answer.fields["Content-Length"] = "4096"
      answer.body = TransferRun.bytes(100_000)
    }
    #expect(try download.run("--limit-rate", "1M", server.address()).status == 1)
    #expect(
      try download.page().message.hasSuffix("sends more than the 4096 bytes that it announced"))
    #expect(download.content("file.bin.part")?.count == 4096)
    #expect(server.requests.count == 1)
  }

  @Test(arguments: ["download", "upload"])
  func `a head without an end, at once`(job: String) throws {
    let run = try TransferRun(job)
    try run.sandbox.write("trip", to: "trip.tar")
    let server = try FileServer { _, _ in
      var answer = FileServer.Answer(fields: ["Content-Length": "0"])
      for number in 1...400 { answer.fields["X-\(number)"] = String(repeating: "x", count: 1000) }
      return answer
    }
    let source = job == "upload" ? ["--method", "PUT", "trip.tar"] : []
    #expect(try run.start(source + [server.address()]).wait().status == 1)
    let said = try run.page().message
    #expect(said.hasSuffix(": the server says more than 256 kB before the content"), "\(said)")
    #expect(server.requests.count == 1)
    #expect(try run.names() == ["trip.tar"])
  }

  @Test func `a line of a head without an end`() throws {
    let server = try server { $0.fields["X-Line"] = String(repeating: "x", count: 200_000) }
    #expect(try download.run(server.address()).status == 1)
    #expect(
      try download.page().message.hasSuffix("a header line of the server is longer than 100 kB"))
    #expect(server.requests.count == 1)
    #expect(try download.names() == [])
  }

  @Test func `what the disk has no room for, before it comes`() throws {
    let server = try server { $0.fields["Content-Length"] = "9000000000000000" }
    #expect(try download.run(server.address()).status == 1)
    let said = try download.page().message
    #expect(said.contains("left, and it needs 9000 TB"), "\(said)")
    #expect(try download.names() == [])
  }

  @Test func `content of another checksum, which stays as a part to be looked at`() throws {
    let wrong = String(repeating: "0", count: 64)
    let server = try server()
    #expect(try download.run("--sha256", wrong, server.address()).status == 1)
    let said = try download.page().message
    #expect(
      said.hasPrefix(
        "./file.bin.part does not have the expected content: its SHA-256"
          + " is"), "\(said)")
    #expect(said.hasSuffix("; remove it to download it again"), "\(said)")
    #expect(try download.names() == ["file.bin.part", "file.bin.part.notes"])
    #expect(download.content("file.bin.part") == content)
    // Another attempt says the same, and asks the server for nothing.
    #expect(try download.run("--sha256", wrong, server.address()).status == 1)
    #expect(try download.page().message == said)
    let asked = server.requests.count

    let line = try download.sandbox.run("sha256sum", ["file.bin.part"]).output
    #expect(line.hasSuffix("  file.bin.part\n"))
    let right = String(line.dropLast())
    #expect(try download.run("--sha256", right, server.address()).status == 0)
    #expect(try download.page().message.hasSuffix("; its SHA-256 is right"))
    #expect(server.requests.count == asked)
    #expect(try download.names() == ["file.bin"])
  }

  @Test func `content that is not what the server itself has promised`() throws {
    let promise = Data(repeating: 7, count: 32).base64EncodedString()
    let server = try server { $0.fields["Repr-Digest"] = "sha-256=:\(promise):" }
    #expect(try download.run(server.address()).status == 1)
    #expect(try download.names() == ["file.bin.part"])
  }
}
