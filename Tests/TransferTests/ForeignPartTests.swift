import Foundation
import Glibc
import JobPage
import TestKit
import Testing

/// Another user's files in the place of a download's or a job's own: only root can make them.
@Suite(.timeLimit(.minutes(10)))
struct `Files of others` {
  private static let stranger: UInt32 = 65_534
  private let download: TransferRun
  private static let content = TransferRun.bytes(100_000)
  private var content: [UInt8] { Self.content }

  init() throws {
    download = try TransferRun("download")
    #expect(unsafe chmod(download.sandbox.path(""), 0o1777) == 0)
  }

  private func server() throws -> FileServer {
    try FileServer { [content] request, _ in .file(content, to: request) }
  }

  /// A whole part with its notes, of other content.
  private func plant(_ server: FileServer, owner: UInt32, mode: mode_t = 0o644) throws {
    let notes = """
      {"address": "\(server.address())", "validator": "\\"one\\"", "total": 100000, "boot": "",
       "pieces": [{"start": 0, "end": 100000, "done": 100000}], "refusesRanges": false,
       "durable": [{"start": 0, "end": 100000, "done": 100000}]}
      """
    for (name, bytes) in [
      ("file.bin.part", Data(repeating: 7, count: 100_000)),
      ("file.bin.part.notes", Data(notes.utf8)),
    ] {
      let path = download.sandbox.path(name)
      try bytes.write(to: URL(fileURLWithPath: path))
      #expect(unsafe chmod(path, mode) == 0 && chown(path, owner, owner) == 0)
    }
  }

  @Test func `a part of this user alone is gone on with`() throws {
    let server = try server()
    try plant(server, owner: geteuid())
    #expect(try download.run(server.address()).status == 0)
    #expect(server.requests.isEmpty)
  }

  @Test(.enabled(if: geteuid() == 0, "only root can make a file of another user"))
  func `another user's part is left alone, and the download says whose it is`() throws {
    let server = try server()
    try plant(server, owner: Self.stranger)
    let finished = try download.run(server.address())
    #expect(finished.status == 73, "\(finished)")
    let message = try download.page().message
    #expect(
      message == "cannot write ./file.bin.part: it belongs to user \(Self.stranger);"
        + " choose another TARGET", "\(message)")
    #expect(download.content() == nil)
    #expect(download.content("file.bin.part") == [UInt8](repeating: 7, count: 100_000))
    // With the permission to remove it, and `--force`, it is replaced.
    #expect(try download.run("--force", server.address()).status == 0)
    #expect(download.content() == content)
    #expect(
      try FileManager.default.attributesOfItem(atPath: download.sandbox.path("file.bin"))[
        .ownerAccountID] as? UInt32 == geteuid())
  }

  @Test func `a part that others may write to, or have a name for, is begun anew`() throws {
    let server = try server()
    try plant(server, owner: geteuid(), mode: 0o666)
    let part = download.sandbox.path("file.bin.part")
    let open = try FileHandle(forUpdating: URL(fileURLWithPath: part))
    #expect(try download.run(server.address()).status == 0)
    // A process that had it open has another file.
    try open.write(contentsOf: Data("gotcha".utf8))
    #expect(download.content() == content)
    try FileManager.default.removeItem(atPath: download.sandbox.path("file.bin"))
    try plant(server, owner: geteuid())
    #expect(unsafe link(part, download.sandbox.path("mine")) == 0)
    #expect(try download.run(server.address()).status == 0)
    #expect(download.content() == content)
    #expect(download.content("mine") == [UInt8](repeating: 7, count: 100_000))
    #expect(server.requests.count == 2)
  }

  @Test func `notes of another user, or a link to them, do not count for a part of one's own`()
    throws
  {
    let server = try server()
    try plant(server, owner: geteuid())
    let notes = download.sandbox.path("file.bin.part.notes")
    try FileManager.default.moveItem(atPath: notes, toPath: download.sandbox.path("his"))
    try FileManager.default.createSymbolicLink(atPath: notes, withDestinationPath: "his")
    #expect(try download.run(server.address()).status != 0)
    #expect(try download.page().message.contains("it is not an interrupted download of this"))
    guard geteuid() == 0 else { return }
    try FileManager.default.removeItem(atPath: notes)
    try FileManager.default.moveItem(atPath: download.sandbox.path("his"), toPath: notes)
    #expect(unsafe chown(notes, Self.stranger, Self.stranger) == 0)
    #expect(try download.run(server.address()).status != 0)
    #expect(download.content() == nil)
  }

  @Test(arguments: [0, 0o22, 0o77] as [mode_t])
  func `the file has the permissions of any new one`(
    mask: mode_t
  ) throws {
    let program = try BuiltProducts.path("download")
    try PageFile.create(download.nextPagePath, number: 12, attempt: 1)
    let server = try server()
    let finished = try download.sandbox.run(
      "sh", ["-c", "umask \(String(mask, radix: 8)); exec \(program) \(server.address())"],
      environment: [
        "JOBRUN_PAGE": download.nextPagePath,
        "JOBRUN_IDENTIFIER": "io.jobrun.samples.download.test",
        "JOBRUN_STATE_DIR": download.sandbox.root + "/state", "no_proxy": "*",
      ])
    #expect(finished.status == 0, "\(finished)")
    let path = download.sandbox.path("file.bin")
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == Int(0o666 & ~mask))
  }
}
