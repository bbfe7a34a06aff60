import Foundation
import JobPage
import TestKit
import Testing

@Suite(.timeLimit(.minutes(60)))
struct `What mirror refuses` {
  @Test(
    arguments: [
      (["missing", "copy"], 1, "cannot mirror missing: No such file or directory"),
      (["album/a b.txt", "copy"], 1, "cannot mirror album/a b.txt: it is not a folder"),
      (["album", "album/copy"], 1, "it is inside album; choose a TARGET outside"),
      (["album", "way in/copy"], 1, "it is inside album; choose a TARGET outside"),
      (["album/days", "album"], 1, "album/days is inside it; choose a TARGET elsewhere"),
      (["album", "album"], 1, "it is album itself"),
      (["album", "way in/.."], 1, "it is album itself"),
      (["album", "album/a b.txt"], 1, "it is not a folder"),
      (["album", "no/where"], 1, "its folder no: No such file or directory"),
      (["album", "full"], 1, "it is not empty; --update allows that"),
      (["--updat", "album", "copy"], 64, "mirror has no flag --updat; see mirror --help"),
      (["album"], 64, "mirror takes SOURCE and TARGET, two folders; it was given 1"),
    ] as [([String], Int32, String)])
  func `is answered with one sentence and changes nothing`(
    arguments: [String], status: Int32, message: String
  ) throws {
    let mirror = try MirrorRun()
    try mirror.makeAlbum()
    try mirror.sandbox.write("precious", to: "full/file")
    try FileManager.default.createSymbolicLink(
      atPath: mirror.sandbox.path("way in"), withDestinationPath: "album/days")
    let before = try mirror.sandbox.run("find", ["."]).output
    let finished = try mirror.start(arguments).wait()
    #expect(finished.status == status)
    let said = try mirror.page().message
    #expect(said.contains(message), "\(said)")
    #expect(try mirror.sandbox.run("find", ["."]).output == before)
    #expect(!FileManager.default.fileExists(atPath: mirror.notes))
  }
}
