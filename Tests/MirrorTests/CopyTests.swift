import Foundation
import Glibc
import JobPage
import TestKit
import Testing

@Suite(.timeLimit(.minutes(60)))
struct `What mirror copies` {
  @Test func `content, permissions, times and links are those of the source`() throws {
    let mirror = try MirrorRun()
    try mirror.makeAlbum()
    let finished = try mirror.run("album", "copy")
    #expect(finished.status == 0, "\(finished.errors)")
    #expect(try mirror.difference() == "")
    for name in ["", "/a b.txt", "/days", "/days/line\nbreak", "/link", "/empty folder"] {
      let source = try mirror.status("album" + name)
      let copy = try mirror.status("copy" + name)
      #expect(copy.st_mode == source.st_mode, "\(name)")
      #expect(copy.st_mtim.tv_sec == source.st_mtim.tv_sec, "\(name)")
      #expect(copy.st_mtim.tv_nsec == source.st_mtim.tv_nsec, "\(name)")
    }
    let large = try mirror.status("copy/days/large")
    #expect(try large.st_ino == mirror.status("copy/second name").st_ino)
    #expect(try mirror.page().message.hasPrefix("mirrored 7 files (960 kB)"))
    #expect(!FileManager.default.fileExists(atPath: mirror.notes))
  }

  @Test func `special files are skipped and told`() throws {
    let mirror = try MirrorRun()
    try mirror.sandbox.write("x", to: "album/file")
    #expect(unsafe mkfifo(mirror.sandbox.path("album/pipe"), 0o600) == 0)
    #expect(try mirror.run("album", "copy").status == 0)
    #expect(try mirror.page().message.contains("1 special file skipped"))
  }

  @Test func `an update replaces what differs, keeps the rest and tells what it leaves`() throws {
    let mirror = try MirrorRun()
    try mirror.makeAlbum()
    #expect(try mirror.run("album", "copy").status == 0)
    let kept = try mirror.status("copy/days/large").st_ino
    try mirror.sandbox.write("HELLO", to: "copy/a b.txt")
    try mirror.sandbox.write("mine", to: "copy/my own.txt")
    let refused = try mirror.run("album", "copy")
    #expect(refused.status == 1)
    #expect(try mirror.page().message.contains("it is not empty; --update allows that"))
    let updated = try mirror.run("--update", "album", "copy")
    #expect(updated.status == 0, "\(updated.errors)")
    #expect(try mirror.difference().contains("Only in") && mirror.difference().contains("my own"))
    #expect(updated.errors.contains("left my own.txt, which the source does not have"))
    #expect(try mirror.status("copy/days/large").st_ino == kept)
    let text = try String(contentsOfFile: mirror.sandbox.path("copy/a b.txt"), encoding: .utf8)
    #expect(text == "hello")
  }

  @Test func `what is in the way of a file is counted, and all others are copied`() throws {
    let mirror = try MirrorRun()
    try mirror.makeAlbum()
    try mirror.sandbox.write("x", to: "copy/a b.txt/file in a folder")
    try mirror.sandbox.write("x", to: "copy/days")
    let finished = try mirror.run("--update", "album", "copy")
    #expect(finished.status == 2)
    #expect(finished.errors.contains("cannot copy a b.txt: Is a directory"), "\(finished.errors)")
    #expect(finished.errors.contains("cannot copy days: "), "\(finished.errors)")
    #expect(try mirror.page().message.contains("could not be copied"))
    let names = try FileManager.default.contentsOfDirectory(
      atPath: mirror.sandbox.path("copy"))
    #expect(!names.contains { $0.hasSuffix(".partial") }, "\(names)")
    #expect(names.contains("ünïcode 日本") && names.contains("second name"))
  }
}
