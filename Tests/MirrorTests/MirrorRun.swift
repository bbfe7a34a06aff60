import Foundation
import Glibc
import JobPage
import TestKit

/// One mirror as the runner launches it: the real executable, a real page, a state folder that stays.
final class MirrorRun {
  let sandbox: Sandbox
  private let pagePath: String

  init() throws {
    sandbox = try Sandbox()
    pagePath = sandbox.root + "/page"
    try FileManager.default.createDirectory(
      atPath: sandbox.root + "/state", withIntermediateDirectories: false)
  }

  /// The job's own notes.
  var notes: String { sandbox.root + "/state/finished" }

  func start(_ arguments: [String]) throws -> ChildProcess {
    try? FileManager.default.removeItem(atPath: pagePath)
    try PageFile.create(pagePath, number: 12, attempt: 1)
    return try sandbox.start(
      "mirror", arguments,
      environment: [
        "JOBRUN_PAGE": pagePath, "JOBRUN_IDENTIFIER": "io.jobrun.samples.mirror.test",
        "JOBRUN_STATE_DIR": sandbox.root + "/state",
      ])
  }

  func run(_ arguments: String...) throws -> ChildProcess.Finished {
    try start(arguments).wait()
  }

  func page() throws -> PageSnapshot {
    var reader = try PageReader(path: pagePath)
    return reader.snapshot()
  }

  /// The output of `diff` for the two folders; empty when they are the same.
  func difference(_ source: String = "album", _ target: String = "copy") throws -> String {
    try sandbox.run(
      "diff", ["-r", "--no-dereference", sandbox.path(source), sandbox.path(target)]
    ).output
  }

  func status(_ path: String) throws -> stat {
    var status = stat()
    guard unsafe lstat(sandbox.path(path), &status) == 0 else {
      throw SystemCallFailure("lstat \(path)")
    }
    return status
  }

  /// A folder `album` with something of every kind that a copy keeps.
  func makeAlbum() throws {
    try sandbox.write("hello", to: "album/a b.txt")
    try sandbox.write("", to: "album/empty file")
    try sandbox.write(String(repeating: "0123456789abcdef", count: 60_000), to: "album/days/large")
    try sandbox.write("x", to: "album/days/line\nbreak", executable: true)
    try sandbox.write("z", to: "album/ünïcode 日本")
    let files = FileManager.default
    try files.createDirectory(
      atPath: sandbox.path("album/empty folder"), withIntermediateDirectories: true)
    try files.createSymbolicLink(
      atPath: sandbox.path("album/link"), withDestinationPath: "nowhere at all")
    try files.linkItem(
      atPath: sandbox.path("album/days/large"), toPath: sandbox.path("album/second name"))
    try files.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000), .posixPermissions: 0o500],
      ofItemAtPath: sandbox.path("album/days"))
  }
}
