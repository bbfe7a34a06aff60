import Foundation
import JobPage
import TestKit
import Testing

@Suite(.timeLimit(.minutes(10)))
struct `An upload` {
  private let upload: TransferRun
  private let content = TransferRun.bytes(300_000)

  init() throws { upload = try TransferRun(uploading: content) }

  @Test func `is one PUT of the file where the server knows nothing better`() throws {
    let server = try FileServer { request, _ in
      FileServer.Answer(status: request.method == "OPTIONS" ? 405 : 201)
    }
    #expect(try upload.run("trip.tar", server.address("x")).status == 0)
    #expect(server.requests.map(\.method) == ["OPTIONS", "PUT"])
    #expect(server.requests.last?.body == content)
    let page = try upload.page()
    #expect(page.completed == 300_000 && page.total == 300_000)
    #expect(page.message == "uploaded 300 kB to \(server.address("x"))")
  }

  @Test func `by tus is gone on with where the server says it was cut`() throws {
    let server = try TusServer(taking: 120_000)
    let finished = try upload.run("trip.tar", server.address)
    #expect(finished.status == 0, "\(finished.errors)")
    #expect(server.content == content)
    #expect(server.offsets == [0, 120_000, 240_000], "no byte comes twice")
    #expect(
      server.methods == ["OPTIONS", "POST", "PATCH", "HEAD", "PATCH", "HEAD", "PATCH"])
    #expect(server.name == "filename \(Data("trip.tar".utf8).base64EncodedString())")
  }

  @Test func `by tus is gone on with by the next attempt of the job`() throws {
    let cut = HeldCut()
    let server = try TusServer(taking: 120_000, beforeCut: { cut.hold() })
    let killed = try upload.start(["trip.tar", server.address])
    try WaitFor.file(upload.sandbox.root + "/state/tus")
    // Until it is killed, it cannot go on by itself.
    try cut.await()
    killed.signal(SIGKILL)
    _ = try killed.wait()
    cut.release()
    #expect(try upload.run("trip.tar", server.address).status == 0)
    #expect(server.content == content)
    #expect(server.methods.count { $0 == "POST" } == 1, "\(server.methods)")
    #expect(!FileManager.default.fileExists(atPath: upload.sandbox.root + "/state/tus"))
  }

  @Test func `by PUT begins again when it was cut; by POST it fails, as it may have arrived`()
    throws
  {
    let cut = Counter()
    let first: @Sendable (FileServer.Request) -> Int = { _ in cut.next() == 1 ? 100_000 : .max }
    let server = try FileServer(taking: first) { _, _ in
      FileServer.Answer(status: 200)
    }
    #expect(try upload.run("--method", "PUT", "trip.tar", server.address("x")).status == 0)
    #expect(server.requests.map(\.body.count) == [100_000, 300_000])

    let each: @Sendable (FileServer.Request) -> Int = { _ in 100_000 }
    let other = try FileServer(taking: each) { _, _ in FileServer.Answer(status: 200) }
    #expect(try upload.run("--method", "post", "trip.tar", other.address("x")).status == 1)
    let said = try upload.page().message
    #expect(said.hasSuffix("it may have arrived, and POST is not repeated"), "\(said)")
    #expect(other.requests.count == 1)
  }

  @Test(
    arguments: [
      (["missing", "http://127.0.0.1:1/"], 1, "cannot upload missing: No such file or directory"),
      ([".", "http://127.0.0.1:1/"], 1, "cannot upload .: it is not a file"),
      (["trip.tar"], 64, "upload takes FILE and URL; it was given 1 argument"),
      (["trip.tar", "ftp://h/"], 64, "ftp://h/ has the scheme ftp; transfers know http and https"),
      (
        ["--method", "GET", "trip.tar", "http://h/"], 64,
        "--method GET must be PUT, POST or PATCH"
      ),
      (
        ["--resume", "trip.tar", "http://h/"], 64,
        "upload has no flag --resume; see jobrun help upload"
      ),
    ] as [([String], Int32, String)])
  func `that makes no sense is refused in one sentence`(
    arguments: [String], status: Int32, sentence: String
  ) throws {
    #expect(try upload.start(arguments).wait().status == status)
    #expect(try upload.page().message == sentence)
  }

  @Test func `does not insist on tus where the server fails at the question`() throws {
    let server = try FileServer { request, _ in
      FileServer.Answer(status: request.method == "OPTIONS" ? 500 : 201)
    }
    #expect(try upload.run("trip.tar", server.address("x")).status == 0)
    #expect(server.requests.map(\.method) == ["OPTIONS", "PUT"])
  }

  @Test func `tells what is in the header file to nobody that it is sent to`() throws {
    let other = try FileServer { _, _ in FileServer.Answer(status: 200) }
    let address = other.address()
    let server = try FileServer { _, _ in
      FileServer.Answer(status: 307, fields: ["Location": address])
    }
    try upload.sandbox.write("X-Client: 7", to: "fields")
    let finished = try upload.run(
      "--header-file", "fields", "--method", "PUT", "trip.tar", server.address("x"))
    #expect(finished.status == 0, "\(finished.errors)")
    #expect(server.requests.map { $0.fields["x-client"] } == ["7"])
    #expect(other.requests.map { $0.fields["x-client"] } == [nil])
    #expect(other.requests.map(\.body) == [content])
  }

  @Test func `that the server refuses ends with its answer in words`() throws {
    let server = try FileServer { _, _ in FileServer.Answer(status: 403) }
    #expect(try upload.run("trip.tar", server.address("x")).status == 1)
    #expect(
      try upload.page().message
        == "cannot upload trip.tar to \(server.address("x")): the server answered 403: it is not allowed"
    )
  }
}
