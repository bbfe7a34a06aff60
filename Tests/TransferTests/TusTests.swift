import Foundation
import JobPage
import TestKit
import Testing

@Suite(.timeLimit(.minutes(10)))
struct `An upload by tus` {
  private let upload: TransferRun
  private let content = TransferRun.bytes(300_000)

  init() throws { upload = try TransferRun(uploading: content) }

  /// A server that takes `most` bytes of each request, and answers the first HEAD with `answer`.
  private func server(
    taking most: Int = 120_000, firstHead answer: FileServer.Answer
  ) throws -> TusServer {
    let heads = Counter()
    return try TusServer(taking: most) { request, _ in
      request.method == "HEAD" && heads.next() == 1 ? answer : nil
    }
  }

  @Test func `waits while the server takes the last attempt for alive`() throws {
    let server = try server(firstHead: FileServer.Answer(status: 423))
    let finished = try upload.run("trip.tar", server.address)
    #expect(finished.status == 0, "\(finished.errors)")
    #expect(server.content == content)
    #expect(server.offsets == [0, 120_000, 240_000], "no byte comes twice")
    #expect(server.methods.count { $0 == "POST" } == 1, "\(server.methods)")
  }

  @Test func `that something before the server refuses fails, and is gone on with later`() throws {
    let server = try server(firstHead: FileServer.Answer(status: 403))
    #expect(try upload.run("trip.tar", server.address).status == 1)
    #expect(try upload.page().message.hasSuffix("the server answered 403: it is not allowed"))
    #expect(try upload.run("trip.tar", server.address).status == 0)
    #expect(server.content == content)
    #expect(server.offsets == [0, 120_000, 240_000], "no byte comes twice")
    #expect(server.methods.count { $0 == "POST" } == 1, "\(server.methods)")
  }

  @Test(arguments: [
    FileServer.Answer(status: 410), FileServer.Answer(status: 404),
    FileServer.Answer(status: 403, fields: ["Tus-Resumable": "1.0.0"]),
  ])
  func `that the server has forgotten begins from the start`(gone: FileServer.Answer) throws {
    let server = try server(taking: 200_000, firstHead: gone)
    #expect(try upload.run("trip.tar", server.address).status == 0)
    #expect(server.content == content)
    #expect(server.methods.count { $0 == "POST" } == 2, "\(server.methods)")
  }

  @Test func `may be cut more often than anything is tried in vain`() throws {
    let server = try TusServer(taking: 25_000)
    let finished = try upload.run("trip.tar", server.address)
    #expect(finished.status == 0, "\(finished.errors)")
    #expect(server.content == content)
    #expect(server.offsets == (0..<12).map { $0 * 25_000 })
  }
}
