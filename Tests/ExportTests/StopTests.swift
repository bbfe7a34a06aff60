import Foundation
import Glibc
import JobPage
import TestKit
import Testing

@Suite(.timeLimit(.minutes(60)))
struct `An export that does not come to its end` {
  /// An export that would take minutes, in the middle of its work.
  private func endlessExport(
    _ export: ExportRun, through prefix: [String] = []
  ) throws -> ChildProcess {
    let path = try export.sandbox.write("", to: "album/endless")
    #expect(unsafe truncate(path, 200_000_000_000) == 0)
    let words = prefix + [try BuiltProducts.path("export"), "album", "out.tar.gz"]
    let child = try export.sandbox.start(
      words[0], Array(words.dropFirst()), environment: export.environment)
    try export.waitUntilReading()
    #expect(try export.names().count == 2)
    return child
  }

  @Test func `leaves nothing when it is told to stop`() throws {
    let export = try ExportRun()
    let child = try endlessExport(export)
    try export.stop()
    let finished = try child.wait()
    #expect(finished.status == 1)
    #expect(try export.names() == ["album"])
    let page = try export.page()
    #expect(page.outcome == .failure)
    #expect(page.completed < page.total)
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
  func `leaves nothing when a signal ends it`(signal: Int32) throws {
    let export = try ExportRun()
    let child = try endlessExport(export)
    child.signal(signal)
    #expect(try child.wait().status == 1)
    #expect(try export.names() == ["album"])
  }

  /// With one processor there is one thread for all Swift tasks and global queues.
  @Test(arguments: [nil, SIGTERM])
  func `hears a stop while it computes on the only processor`(signal: Int32?) throws {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let list = try #require(status.split(separator: "Cpus_allowed_list:\t").last)
    let processor = String(list.prefix { $0.isNumber })
    let export = try ExportRun()
    let child = try endlessExport(export, through: ["taskset", "-c", processor])
    if let signal { child.signal(signal) } else { try export.stop() }
    #expect(try child.wait().status == 1)
    #expect(try export.names() == ["album"])
  }

  @Test func `never leaves half an archive under the final name, and the next one tidies up`()
    throws
  {
    let export = try ExportRun()
    let child = try endlessExport(export)
    child.signal(SIGKILL)
    #expect(try child.wait().ending == .signalled(SIGKILL))
    let left = try export.names()
    #expect(left.count == 2)
    #expect(left.first?.hasPrefix(".out.tar.gz.partial-") == true)
    #expect(unsafe truncate(export.sandbox.path("album/endless"), 10) == 0)
    let next = try export.run("album", "out.tar.gz")
    #expect(next.status == 0)
    #expect(next.errors.contains("which an export that was killed had left"))
    #expect(try export.names() == ["album", "out.tar.gz"])
  }

  @Test func `does not take the unfinished archive of a live one for a leftover`() throws {
    let export = try ExportRun()
    let child = try endlessExport(export)
    let unfinished = try export.names()
    let other = try export.sandbox.run(
      "export", ["--help"], environment: export.environment)
    #expect(other.status == 0)
    try export.sandbox.write("x", to: "letter")
    let second = try export.sandbox.run(
      "export", ["letter", "out.tar.gz"], environment: export.environment)
    #expect(second.status == 0)
    #expect(try export.names() == (unfinished + ["letter", "out.tar.gz"]).sorted())
    child.signal(SIGTERM)
    #expect(try child.wait().status == 1)
  }

  /// The limit is about 1 MB: below half of one, the thread sanitizer's own file would be cut short.
  @Test func `says why and leaves nothing when the target cannot grow`() throws {
    let export = try ExportRun()
    try export.sandbox.run(
      "dd", ["if=/dev/urandom", "of=noise", "bs=1048576", "count=3"])
    let finished = try export.sandbox.run(
      "sh",
      [
        "-c",
        "ulimit -f 2000; exec export noise out.tar.gz".replacing(
          "exec export", with: "exec '\(try BuiltProducts.path("export"))'"),
      ],
      environment: export.environment)
    #expect(finished.status == 1)
    #expect(try export.names() == ["noise"])
    #expect(
      try export.page().message
        == "writing \(export.sandbox.path("out.tar.gz")) failed: File too large; nothing is left of it"
    )
  }
}
