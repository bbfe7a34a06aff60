import Foundation
import Glibc
import JobPage
import LinuxSystem
import TestKit

/// One export as the runner launches it: the real executable, a real page, a separate folder.
final class ExportRun {
  let sandbox: Sandbox
  private let pagePath: String

  init() throws {
    sandbox = try Sandbox()
    // Beside the folder that the tests fill, so that the test's own files do not get into an archive.
    pagePath = sandbox.root + "/page"
    try PageFile.create(pagePath, number: 12, attempt: 1)
  }

  var environment: [String: String] {
    ["JOBRUN_PAGE": pagePath, "JOBRUN_IDENTIFIER": "io.jobrun.samples.export.test"]
  }

  func start(_ arguments: [String], directory: String? = nil) throws -> TestKit.ChildProcess {
    try sandbox.start("export", arguments, environment: environment, directory: directory)
  }

  /// Runs to the end.
  func run(_ arguments: String..., directory: String? = nil) throws -> TestKit.ChildProcess.Finished
  {
    try start(arguments, directory: directory).wait()
  }

  func page() throws -> PageSnapshot {
    var reader = try PageReader(path: pagePath)
    return reader.snapshot()
  }

  /// Waits until content has been read; the page is shared memory and makes no event.
  func waitUntilReading() throws {
    let deadline = Deadline()
    while try page().completed == 0 {
      guard !deadline.hasPassed else {
        throw Overdue(awaited: "the first bytes", limit: deadline.limit, seen: "\(try page())")
      }
      sched_yield()
    }
  }

  func stop() throws {
    try PageControl(path: pagePath).stop(reason: 1, deadline: AwakeClock.now() + 600_000_000_000)
  }

  /// Names in the work folder, hidden ones too.
  func names(in folder: String = "") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: sandbox.path(folder)).sorted()
  }

  /// A folder `album` with something of every kind that an archive keeps.
  func makeAlbum() throws {
    try sandbox.write("hello", to: "album/a b.txt")
    try sandbox.write("", to: "album/empty file")
    try sandbox.write(String(repeating: "0123456789abcdef", count: 60_000), to: "album/days/large")
    try sandbox.write("x", to: "album/days/line\nbreak", executable: true)
    try sandbox.write("y", to: "album/" + String(repeating: "n", count: 240))
    try sandbox.write("z", to: "album/ünïcode 日本")
    let files = FileManager.default
    try files.createDirectory(
      atPath: sandbox.path("album/empty folder"), withIntermediateDirectories: true)
    try files.createSymbolicLink(
      atPath: sandbox.path("album/link"), withDestinationPath: "nowhere at all")
    try files.linkItem(
      atPath: sandbox.path("album/days/large"), toPath: sandbox.path("album/second name"))
  }
}
