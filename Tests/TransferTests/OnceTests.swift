import Foundation
import Glibc
import JobPage
import TestKit
import Testing

/// The file of an upload by POST or PATCH, which a server must not get twice.
@Suite(.timeLimit(.minutes(10)))
struct `An upload that is not repeated` {
  private let upload: TransferRun
  private let content = TransferRun.bytes(300_000)

  init() throws { upload = try TransferRun(uploading: content) }

  private var note: String { upload.sandbox.root + "/state/sent" }
  private var hasNote: Bool { FileManager.default.fileExists(atPath: note) }

  private func refusal(_ method: String, _ address: String) -> String {
    "cannot upload trip.tar to \(address): an earlier attempt has sent some or all of it by \(method),"
      + " and the server may have it; jobrun redo does not send it again: if it is missing there,"
      + " submit the upload as a new job"
  }

  @Test(arguments: ["POST", "PATCH"], [Int.max, 100_000])
  func `fails in the next attempt when its worker was killed after any of it had been sent`(
    method: String, taken: Int
  ) throws {
    let held = HeldCut()
    let most: @Sendable (FileServer.Request) -> Int = { _ in taken }
    let server = try FileServer(taking: most) { _, _ in
      held.hold()
      return FileServer.Answer(status: 201)
    }
    server.whenCut { _ in held.hold() }
    let arguments = ["--method", method, "trip.tar", server.address("x")]
    let killed = try upload.start(arguments)
    try held.await()
    killed.signal(SIGKILL)
    _ = try killed.wait()
    held.release()
    for _ in 1...2 {
      #expect(try upload.start(arguments).wait().status == 1)
      #expect(try upload.page().message == refusal(method, server.address("x")))
    }
    #expect(server.requests.map(\.body.count) == [min(taken, content.count)])
  }

  @Test func `is not what an upload by PUT is`() throws {
    let held = HeldCut()
    let server = try FileServer { _, number in
      if number == 0 { held.hold() }
      return FileServer.Answer(status: 201)
    }
    let arguments = ["--method", "PUT", "trip.tar", server.address("x")]
    let killed = try upload.start(arguments)
    try held.await()
    killed.signal(SIGKILL)
    _ = try killed.wait()
    held.release()
    #expect(try upload.start(arguments).wait().status == 0)
    #expect(server.requests.map(\.method) == ["PUT", "PUT"])
  }

  @Test func `fails in the next attempt when the server failed at it`() throws {
    let server = try FileServer { _, _ in FileServer.Answer(status: 500) }
    #expect(try upload.run("--method", "POST", "trip.tar", server.address("x")).status == 1)
    let said = try upload.page().message
    #expect(said.hasSuffix(": it has a fault; it may have arrived, and POST is not repeated"))
    #expect(try upload.run("--method", "POST", "trip.tar", server.address("x")).status == 1)
    #expect(try upload.page().message == refusal("POST", server.address("x")))
    #expect(server.requests.count == 1)
  }

  @Test func `names its method when a connection is cut`() throws {
    let most: @Sendable (FileServer.Request) -> Int = { _ in 100_000 }
    let server = try FileServer(taking: most) { _, _ in FileServer.Answer(status: 200) }
    #expect(try upload.run("--method", "PATCH", "trip.tar", server.address("x")).status == 1)
    let said = try upload.page().message
    #expect(said.hasSuffix("it may have arrived, and PATCH is not repeated"), "\(said)")
  }

  @Test func `is sent by a redo after the server refused it, and leaves no note`() throws {
    let server = try FileServer { _, number in FileServer.Answer(status: number == 0 ? 422 : 201) }
    #expect(try upload.run("--method", "POST", "trip.tar", server.address("x")).status == 1)
    #expect(!hasNote)
    #expect(try upload.run("--method", "POST", "trip.tar", server.address("x")).status == 0)
    #expect(!hasNote)
    #expect(server.requests.map(\.method) == ["POST", "POST"])
  }

  @Test func `is sent again within an attempt when the server had no time for it`() throws {
    let server = try FileServer { _, number in FileServer.Answer(status: number == 0 ? 503 : 201) }
    #expect(try upload.run("--method", "POST", "trip.tar", server.address("x")).status == 0)
    #expect(server.requests.map(\.method) == ["POST", "POST"])
  }

  @Test func `is sent by the next attempt where no server was reached`() throws {
    let gone = try FileServer { _, _ in FileServer.Answer(status: 201) }
    gone.stop()
    let arguments = ["--method", "POST", "trip.tar", gone.address("x")]
    let stopped = try upload.start(arguments)
    try stopped.wait(for: "tries again", on: .errors)
    stopped.signal(SIGTERM)
    _ = try stopped.wait()
    #expect(!hasNote)
    let server = try FileServer(port: gone.port) { _, _ in FileServer.Answer(status: 201) }
    #expect(try upload.start(arguments).wait().status == 0)
    #expect(server.requests.count == 1)
  }

  @Test func `is not sent again when only its answer is missing, nor is an empty file`() throws {
    let server = try FileServer { request, _ in
      request.path == "/x"
        ? FileServer.Answer(status: 303, fields: ["Location": "seen"])
        : FileServer.Answer(status: 503)
    }
    #expect(try upload.run("--method", "POST", "trip.tar", server.address("x")).status == 1)
    #expect(server.requests.map(\.method) == ["POST", "GET"])
    try upload.sandbox.write("", to: "empty")
    let other = try FileServer { _, _ in FileServer.Answer(status: 500) }
    #expect(try upload.run("--method", "POST", "empty", other.address("x")).status == 1)
    #expect(other.requests.count == 1)
  }
}

/// An upload whose content the server has, and has refused.
@Suite(.timeLimit(.minutes(10)))
struct `A refused upload` {
  private let upload: TransferRun

  init() throws { upload = try TransferRun(uploading: TransferRun.bytes(300_000)) }

  @Test(arguments: ["PUT", "POST"])
  func `is sent anew by a redo, although the server says that it has all of it`(
    method: String
  ) throws {
    let server = try ResumableServer { request in
      guard request.method == "HEAD" else { return FileServer.Answer(status: 422) }
      return FileServer.Answer(
        status: 204, fields: ["Upload-Offset": "300000", "Upload-Complete": "?1"])
    }
    for _ in 1...2 {
      #expect(try upload.run("--method", method, "trip.tar", server.address).status == 1)
      #expect(try upload.page().message.hasSuffix("the server answered 422"))
    }
    #expect(server.requests.map(\.method) == [method, method])
  }

  @Test func `by tus is created anew by a redo`() throws {
    let server = try TusServer { request, _ in
      switch request.method {
      case "PATCH": FileServer.Answer(status: 422)
      case "HEAD":
        FileServer.Answer(fields: ["Tus-Resumable": "1.0.0", "Upload-Offset": "300000"])
      default: nil
      }
    }
    for _ in 1...2 {
      #expect(try upload.run("trip.tar", server.address).status == 1)
    }
    #expect(server.methods == ["OPTIONS", "POST", "PATCH", "OPTIONS", "POST", "PATCH"])
  }

  @Test func `is gone on with after a redo with other credentials`() throws {
    let (note, parts) = (upload.sandbox.root + "/state/upload", Counter())
    let server = try ResumableServer(
      taking: 200_000,
      trouble: { request in
        let isFirst = request.method == "PATCH" && parts.next() == 1
        return isFirst ? FileServer.Answer(status: 401) : nil
      }, beforeCut: { _ in try? WaitFor.file(note) })
    #expect(try upload.run("--method", "POST", "trip.tar", server.address).status == 1)
    #expect(try upload.run("--method", "POST", "trip.tar", server.address).status == 0)
    #expect(server.requests.map(\.method) == ["POST", "HEAD", "PATCH", "HEAD", "PATCH"])
  }
}
