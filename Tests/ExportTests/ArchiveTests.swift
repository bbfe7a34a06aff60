import Foundation
import Glibc
import JobPage
import TestKit
import Testing

@Suite(.timeLimit(.minutes(60)))
struct `The archive` {
  @Test(arguments: [".tar.gz", ".tgz", ".tar.zst", ".zip"])
  func `holds what the folder holds, byte for byte`(ending: String) throws {
    let export = try ExportRun()
    try export.makeAlbum()
    let finished = try export.run("album", "out\(ending)")
    #expect(finished.status == 0, "\(finished.errors)")
    #expect(try export.names() == ["album", "out\(ending)"])
    var unpacked = try UnpackedArchive(export.sandbox.path("out\(ending)")).items
    let second = Array("album/second name".utf8)
    if ending != ".zip" {
      #expect(unpacked[second]?.hardLink == Array("album/days/large".utf8))
      unpacked[second] = unpacked[Array("album/days/large".utf8)]
    }
    #expect(unpacked == (try SourceTree.items(export.sandbox.path("album"))))
  }

  @Test func `unpacks with the system's tar to the same folder`() throws {
    let export = try ExportRun()
    try export.makeAlbum()
    #expect(try export.run("album", "out.tar.gz").status == 0)
    try FileManager.default.createDirectory(
      atPath: export.sandbox.path("again"), withIntermediateDirectories: false)
    try export.sandbox.run("tar", ["-xzf", "out.tar.gz", "-C", "again"])
    let difference = try export.sandbox.run(
      "diff", ["-r", "--no-dereference", "album", "again/album"])
    #expect(difference.status == 0, "\(difference.output)")
  }

  @Test(arguments: [".tar.gz", ".tar.zst", ".zip"])
  func `keeps names that are not UTF-8`(ending: String) throws {
    let export = try ExportRun()
    try export.sandbox.write("plain", to: "album/plain")
    let name: [UInt8] = Array("album/".utf8) + [0xFF, 0xE9, 0x20, 0x0A]
    let path = Array((export.sandbox.work + "/").utf8) + name + [0]
    let descriptor = unsafe path.withUnsafeBytes {
      unsafe open($0.assumingMemoryBound(to: CChar.self).baseAddress!, O_CREAT | O_WRONLY, 0o600)
    }
    #expect(unsafe write(descriptor, "bytes", 5) == 5)
    close(descriptor)
    #expect(try export.run("album", "out\(ending)").status == 0)
    let unpacked = try UnpackedArchive(export.sandbox.path("out\(ending)"))
    #expect(unpacked.items[name]?.content == Array("bytes".utf8))
  }

  @Test func `lies beside the folder under its name and the time by default`() throws {
    let export = try ExportRun()
    try export.makeAlbum()
    let finished = try export.run(".", directory: export.sandbox.path("album"))
    #expect(finished.status == 0, "\(finished.errors)")
    let names = try export.names()
    #expect(names.count == 2)
    let name = try #require(names.last)
    #expect(name.wholeMatch(of: /album-\d{8}-\d{6}\.tar\.gz/) != nil)
    #expect(try UnpackedArchive(export.sandbox.path(name))["album/a b.txt"] != nil)
  }

  @Test func `goes into the folder that is named as its target`() throws {
    let export = try ExportRun()
    try export.makeAlbum()
    try FileManager.default.createDirectory(
      atPath: export.sandbox.path("backup"), withIntermediateDirectories: false)
    #expect(try export.run("album", "backup").status == 0)
    #expect(try export.names(in: "backup").count == 1)
  }

  @Test func `may be made of one file, or of an empty folder`() throws {
    let export = try ExportRun()
    try export.sandbox.write("hello", to: "letter.txt")
    #expect(try export.run("letter.txt", "one.zip").status == 0)
    #expect(
      try UnpackedArchive(export.sandbox.path("one.zip"))["letter.txt"]?.content
        == Array("hello".utf8))
    try FileManager.default.createDirectory(
      atPath: export.sandbox.path("nothing"), withIntermediateDirectories: false)
    #expect(try export.run("nothing", "none.tar.gz").status == 0)
    #expect(try UnpackedArchive(export.sandbox.path("none.tar.gz")).items.count == 1)
    #expect(try export.page().completed == export.page().total)
  }

  @Test func `is reported in bytes, to the last one, with a closing sentence`() throws {
    let export = try ExportRun()
    try export.sandbox.write(String(repeating: "a", count: 1_500_000), to: "album/a")
    try export.sandbox.write("b", to: "album/b")
    #expect(try export.run("album", "out.tar.gz").status == 0)
    let page = try export.page()
    #expect((page.completed, page.total, page.unit) == (1_500_001, 1_500_001, .bytes))
    #expect(page.outcome == .success)
    #expect(
      page.message == "exported 2 files (1.5 MB); archive: \(export.sandbox.path("out.tar.gz"))")
  }

  @Test func `leaves out FIFOs and sockets, says so, and is whole all the same`() throws {
    let export = try ExportRun()
    try export.sandbox.write("x", to: "album/file")
    #expect(unsafe mkfifo(export.sandbox.path("album/pipe"), 0o600) == 0)
    let finished = try export.run("album", "out.tar.gz")
    #expect(finished.status == 0)
    #expect(finished.errors.contains("skipped album/pipe"))
    #expect(try export.page().message.contains("1 special file skipped"))
    #expect(try UnpackedArchive(export.sandbox.path("out.tar.gz")).items.count == 2)
  }
}
