import Foundation
import JobPage
import TestKit
import Testing

/// A download that was killed when its file had its name, and its success was not known.
@Suite(.timeLimit(.minutes(10)))
struct `A download whose file has its name already` {
  private let download: TransferRun
  private let content = TransferRun.bytes(200_000)

  init() throws { download = try TransferRun("download") }

  private func server() throws -> FileServer {
    try FileServer { [content] request, _ in .file(content, to: request) }
  }

  private var state: String { download.sandbox.root + "/state" }

  /// As the killed attempt leaves it; with the partial file's name it was killed before that was removed.
  private func publish(_ arguments: [String], stillPart: Bool) throws {
    try Data(content).write(to: URL(filePath: download.sandbox.path("file.bin")))
    try download.sandbox.write("{}", to: "file.bin.part.notes")
    try download.sandbox.write("{", to: "file.bin.part.notes.new")
    if stillPart {
      try FileManager.default.linkItem(
        atPath: download.sandbox.path("file.bin"), toPath: download.sandbox.path("file.bin.part"))
    }
    try PublishedFile(
      download.sandbox.path("file.bin"), named: "./file.bin", arguments: arguments
    ).note(in: state)
  }

  @Test(arguments: [true, false], [[], ["--force"]])
  func `succeeds without asking for it again, and leaves nothing beside it`(
    stillPart: Bool, options: [String]
  ) throws {
    let server = try server()
    let arguments = options + [server.address()]
    try publish(arguments, stillPart: stillPart)
    let finished = try download.start(arguments).wait()
    #expect(finished.status == 0, "\(finished.errors)")
    let page = try download.page()
    #expect(page.message == "downloaded 200 kB to ./file.bin, in an earlier attempt")
    #expect(page.completed == 200_000 && page.total == 200_000)
    #expect(server.requests.isEmpty)
    #expect(download.content() == content)
    #expect(try download.names() == ["file.bin"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: state).isEmpty)
    // From now on it is somebody's.
    #expect(try download.run(server.address()).status == 1)
  }

  @Test func `leaves a file alone that has changed, or that another command made`() throws {
    let server = try server()
    try publish([server.address("other.bin")], stillPart: false)
    #expect(try download.run(server.address()).status == 1)
    try publish([server.address()], stillPart: false)
    try Data("changed since".utf8).write(to: URL(filePath: download.sandbox.path("file.bin")))
    #expect(try download.run(server.address()).status == 1)
    #expect(
      try download.page().message
        == "cannot write ./file.bin: it is there already; --force replaces it")
    for note in ["", "\0\0\0\0\0", "1\0x", String(repeating: "9\0", count: 40_000)] {
      try Data(note.utf8).write(to: URL(filePath: state + "/published"))
      #expect(try download.run(server.address()).status == 1, "\(note.prefix(9))")
    }
    #expect(download.content() == Array("changed since".utf8))
  }

  @Test func `is told apart by a note that is gone after its success`() throws {
    let server = try server()
    #expect(try download.run(server.address()).status == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: state).isEmpty)
    #expect(try download.run(server.address()).status == 1)
  }
}
