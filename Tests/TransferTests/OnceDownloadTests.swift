import Foundation
import Glibc
import JobPage
import TestKit
import Testing

/// A download by POST, which its server must not get twice.
@Suite(.timeLimit(.minutes(10)))
struct `A download that is not repeated` {
  private let download: TransferRun
  private let content = [UInt8](repeating: 7, count: 2_000_000)

  init() throws {
    download = try TransferRun("download")
    try download.sandbox.write("name=Ada", to: "question")
    // Of the same length and time: only their contents tell them apart.
    try download.sandbox.write("name=Bob", to: "other")
    for name in ["question", "other"] {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)],
        ofItemAtPath: download.sandbox.path(name))
    }
  }

  private func arguments(_ server: FileServer, body: String = "question") -> [String] {
    ["--method", "POST", "--body", body, server.address("x"), "file.bin"]
  }

  private func refusal(_ server: FileServer) -> String {
    "cannot download \(server.address("x")): an earlier attempt has sent its POST, and the server may"
      + " have carried it out; jobrun redo does not send it again: to do that, submit the download as"
      + " a new job"
  }

  /// Downloads everything, and leaves it as an attempt does that is killed while it checks it: another file has
  /// the name meanwhile.
  private func fetchWhole() throws -> FileServer {
    let target = download.sandbox.path("file.bin")
    let notes = download.sandbox.path("file.bin.part.notes")
    let server = try FileServer { [content] request, _ in
      var answer = FileServer.Answer.file(content, to: request)
      answer.sent = 1_000_000
      answer.pause = {
        _ = try? WaitFor.file(notes, contains: "\"total\":2000000")
        try? Data().write(to: URL(filePath: target))
      }
      return answer
    }
    #expect(try download.start(arguments(server)).wait().status == 1)
    #expect(try download.page().message.contains("another program has made it meanwhile"))
    try FileManager.default.removeItem(atPath: target)
    return server
  }

  @Test func `is checked and named by the next attempt when all of it is there`() throws {
    let server = try fetchWhole()
    let finished = try download.start(arguments(server)).wait()
    #expect(finished.status == 0, "\(finished.errors)")
    #expect(download.content() == content)
    #expect(server.requests.count == 1)
    #expect(try download.names() == ["file.bin", "other", "question"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: download.state).isEmpty)
  }

  @Test func `is not what a job with another question gets`() throws {
    let server = try fetchWhole()
    #expect(try download.start(arguments(server, body: "other")).wait().status == 1)
    #expect(
      try download.page().message.hasSuffix(
        "it is an interrupted download by another request; --force replaces it"))
    #expect(download.content("file.bin.part") == content)
    #expect(server.requests.count == 1)
  }

  @Test(arguments: [SIGKILL, SIGTERM])
  func `fails in the next attempt when it was ended while the server worked on it`(
    signal: Int32
  ) throws {
    let held = HeldCut()
    let server = try FileServer { [content] request, _ in
      held.hold()
      return .file(content, to: request)
    }
    let ended = try download.start(arguments(server))
    try held.await()
    ended.signal(signal)
    _ = try ended.wait()
    held.release()
    for _ in 1...2 {
      #expect(try download.start(arguments(server)).wait().status == 1)
      #expect(try download.page().message == refusal(server))
    }
    #expect(server.requests.count == 1)
    #expect(try download.names() == ["other", "question"])
  }

  @Test func `is sent again by a new job, whatever has come of it`() throws {
    let server = try FileServer { [content] request, number in
      var answer = FileServer.Answer.file(content, to: request)
      if number == 0 { (answer.sent, answer.isHeld) = (1_000_000, true) }
      return answer
    }
    let killed = try download.start(arguments(server))
    try WaitFor.file(
      download.sandbox.path("file.bin.part.notes"), contains: "\"done\":1000000")
    killed.signal(SIGKILL)
    _ = try killed.wait()
    #expect(try download.start(arguments(server)).wait().status == 1)
    #expect(try download.page().message == refusal(server))
    let other = ["JOBRUN_STATE_DIR": download.sandbox.path("")]
    #expect(try download.start(arguments(server), environment: other).wait().status == 0)
    #expect(download.content() == content)
    #expect(server.requests.count == 2)
    #expect(try download.names() == ["file.bin", "other", "question"])
  }

  @Test func `fails in the next attempt when the server failed at it; it is sent after a refusal`()
    throws
  {
    let server = try FileServer { [content] request, number in
      number == 0
        ? FileServer.Answer(status: 422)
        : number == 1 ? FileServer.Answer(status: 500) : .file(content, to: request)
    }
    for sentence in ["the server answered 422", "POST is not repeated", "as a new job"] {
      #expect(try download.start(arguments(server)).wait().status == 1)
      let said = try download.page().message
      #expect(said.hasSuffix(sentence), "\(said)")
    }
    #expect(server.requests.count == 2)
  }

  @Test func `is not sent again when only its answer is missing elsewhere`() throws {
    let server = try FileServer { request, _ in
      request.path == "/x"
        ? FileServer.Answer(status: 303, fields: ["Location": "seen"])
        : FileServer.Answer(status: 503)
    }
    #expect(try download.start(arguments(server)).wait().status == 1)
    #expect(server.requests.map(\.method) == ["POST", "GET"])
  }

  @Test func `is put off before it is sent`() throws {
    let server = try FileServer { [content] request, _ in .file(content, to: request) }
    for (metered, status) in [("u 1", 75), ("u 4", 0)] as [(String, Int32)] {
      try download.sandbox.write(
        "#!/bin/sh\necho '\(metered)'\n", to: "../bin/busctl", executable: true)
      let finished = try download.start(
        ["--unmetered"] + arguments(server),
        environment: ["PATH": download.sandbox.root + "/bin:/usr/bin:/bin"]
      ).wait()
      #expect(finished.status == status, "\(finished.errors)")
      #expect(server.requests.count == (status == 0 ? 1 : 0))
    }
    #expect(download.content() == content)
  }
}

@Suite(.timeLimit(.minutes(10)))
struct `A download beside its target` {
  @Test func `makes no file that a kill could leave and the next attempt would not know`() throws {
    let download = try TransferRun("download")
    let server = try FileServer { request, _ in .file([1, 2, 3], to: request) }
    let watch = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    defer { close(watch) }
    let folder = download.sandbox.path("")
    #expect(unsafe inotify_add_watch(watch, folder, UInt32(IN_CREATE | IN_MOVED_TO)) >= 0)
    #expect(try download.run(server.address()).status == 0)
    var events = [UInt8](repeating: 0, count: 64 << 10)
    let count = unsafe read(watch, &events, events.count)
    let made = String(decoding: events.prefix(max(0, count)), as: UTF8.self)
    #expect(made.contains("file.bin.part.notes"))
    #expect(!made.contains(".jobrun-"), "\(made)")
  }
}
