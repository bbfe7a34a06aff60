import Foundation
import Glibc
import JobPage
import TestKit
import Testing

@Suite(.timeLimit(.minutes(60)))
struct `Files that cannot be read as they are` {
  /// The export without the right of root to read everything.
  private func runWithoutPrivilege(
    _ export: ExportRun, _ arguments: [String]
  ) throws -> ChildProcess.Finished {
    guard geteuid() == 0 else { return try export.start(arguments).wait() }
    let flags = ["--bounding-set=-dac_override,-dac_read_search", "--"]
    return try export.sandbox.run(
      "setpriv", flags + [try BuiltProducts.path("export")] + arguments,
      environment: export.environment)
  }

  @Test func `are reported and counted, and the archive of the others is kept as a failure`()
    throws
  {
    let export = try ExportRun()
    try export.makeAlbum()
    let closed = [export.sandbox.path("album/a b.txt"), export.sandbox.path("album/days")]
    for path in closed { #expect(unsafe chmod(path, 0) == 0) }
    defer { for path in closed { _ = unsafe chmod(path, 0o755) } }
    let finished = try runWithoutPrivilege(export, ["album", "out.tar.gz"])
    #expect(finished.status == 2)
    #expect(finished.errors.contains("cannot read album/a b.txt: Permission denied"))
    #expect(finished.errors.contains("cannot read album/days: Permission denied"))
    let page = try export.page()
    #expect(page.outcome == .failure)
    #expect(page.message.contains("2 could not be read"))
    let unpacked = try UnpackedArchive(export.sandbox.path("out.tar.gz"))
    #expect(unpacked["album/a b.txt"] == nil)
    #expect(unpacked["album/empty file"] != nil)
    #expect(unpacked["album/days"] != nil)
  }

  @Test func `make no archive when it is the source itself`() throws {
    let export = try ExportRun()
    try export.makeAlbum()
    #expect(unsafe chmod(export.sandbox.path("album"), 0) == 0)
    defer { _ = unsafe chmod(export.sandbox.path("album"), 0o755) }
    let finished = try runWithoutPrivilege(export, ["album", "out.tar.gz"])
    #expect(finished.status == 1)
    #expect(try export.page().message == "cannot export album: Permission denied")
    #expect(try export.names() == ["album"])
  }

  /// Changes `album/large` while the export is in the middle of it.
  private func change(
    _ export: ExportRun, to size: Int
  ) throws -> ChildProcess.Finished {
    let path = try export.sandbox.write("", to: "album/large")
    #expect(unsafe truncate(path, 200_000_000) == 0)
    // The test must be fast enough to act in the middle of it, even on a busy machine.
    let child = try export.sandbox.start(
      "nice", ["-n", "19", try BuiltProducts.path("export"), "album", "out.tar.gz"],
      environment: export.environment)
    try export.waitUntilReading()
    child.signal(SIGSTOP)
    #expect(try export.page().completed < 200_000_000)
    #expect(unsafe truncate(path, size) == 0)
    child.signal(SIGCONT)
    return try child.wait()
  }

  @Test func `are padded when they shrink meanwhile, and counted`() throws {
    let export = try ExportRun()
    let finished = try change(export, to: 10)
    #expect(finished.status == 2)
    #expect(finished.errors.contains("album/large: it was truncated"))
    #expect(try export.page().message.contains("1 could not be read"))
    let large = try UnpackedArchive(export.sandbox.path("out.tar.gz"))["album/large"]
    #expect(large?.content.count == 200_000_000)
  }

  @Test func `are kept up to their first length when they grow meanwhile`() throws {
    let export = try ExportRun()
    let finished = try change(export, to: 200_000_100)
    #expect(finished.status == 0)
    #expect(finished.errors.contains("album/large grew meanwhile"))
    let page = try export.page()
    #expect((page.completed, page.total) == (200_000_000, 200_000_000))
  }
}
