import Foundation
import JobPage
import TestKit
import Testing

@Suite(.timeLimit(.minutes(10)))
struct `An upload to a server that keeps what has come` {
  private let upload: TransferRun
  private let content = TransferRun.bytes(300_000)

  init() throws { upload = try TransferRun(uploading: content) }

  /// Where the program notes the address under which the server keeps what has come.
  private var note: String { upload.sandbox.root + "/state/upload" }

  /// Cuts a connection only once that address is noted: when the program learns of a cut by sending, it has not
  /// read what came before.
  private func server(forgets: Bool = false) throws -> ResumableServer {
    try ResumableServer(
      taking: 120_000, forgets: forgets, beforeCut: { [note] _ in try? WaitFor.file(note) })
  }

  @Test(arguments: ["PUT", "POST"])
  func `is gone on with where the server says it was cut, by whatever method`(method: String) throws
  {
    let server = try server()
    let finished = try upload.run("--method", method, "trip.tar", server.address)
    #expect(finished.status == 0, "\(finished.errors)")
    #expect(server.content == content)
    #expect(server.offsets == [0, 120_000, 240_000], "no byte comes twice")
    #expect(server.requests.map(\.method) == [method, "HEAD", "PATCH", "HEAD", "PATCH"])
    let patch = try #require(server.requests.last)
    #expect(patch.path == "/files/kept/1")
    #expect(patch.fields["upload-offset"] == "240000" && patch.fields["upload-complete"] == "?1")
    #expect(patch.fields["content-type"] == "application/partial-upload")
  }

  @Test func `is gone on with by the next attempt of the job, and leaves no note`() throws {
    let cut = HeldCut()
    let server = try ResumableServer(taking: 120_000, beforeCut: { _ in cut.hold() })
    let killed = try upload.start(["--method", "PUT", "trip.tar", server.address])
    try WaitFor.file(note)
    // Until it is killed, it cannot go on by itself.
    try cut.await()
    killed.signal(SIGKILL)
    _ = try killed.wait()
    cut.release()
    #expect(try upload.run("--method", "PUT", "trip.tar", server.address).status == 0)
    #expect(server.content == content)
    #expect(server.requests.count { $0.method == "PUT" } == 1)
    #expect(!FileManager.default.fileExists(atPath: note))
  }

  @Test func `by PUT begins again where the server has forgotten it; by POST it fails`() throws {
    let server = try server(forgets: true)
    #expect(try upload.run("--method", "PUT", "trip.tar", server.address).status == 0)
    #expect(server.content == content)
    #expect(server.requests.map(\.method) == ["PUT", "HEAD", "PUT"])
    let other = try self.server(forgets: true)
    #expect(try upload.run("--method", "POST", "trip.tar", other.address).status == 1)
    #expect(other.requests.map(\.method) == ["POST", "HEAD"])
    #expect(
      try upload.page().message.hasSuffix(
        "the server no longer has the earlier part, and POST is not repeated"))
  }
}
