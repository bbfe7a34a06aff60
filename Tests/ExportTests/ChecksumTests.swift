import Foundation
import Glibc
import JobPage
import LinuxSystem
import TestKit
import Testing

@Suite(.timeLimit(.minutes(60)))
struct `The checksum script` {
  private let export: ExportRun

  init() throws {
    export = try ExportRun()
    // A stand-in for `jobrun`: writes each call on a separate line.
    try export.sandbox.write(
      "#!/bin/sh\necho \"$*\" >> \"$HOME/../calls\"\n", to: "../jobrun-double", executable: true)
  }

  private func run(
    _ arguments: [String], adding extra: [String: String] = [:]
  ) throws -> TestKit.ChildProcess.Finished {
    var environment = export.environment
    environment["JOBRUN_COMMAND"] = export.sandbox.root + "/jobrun-double"
    environment["JOBRUN_STATE_DIR"] = export.sandbox.root
    environment.merge(extra) { $1 }
    let script = BuiltProducts.packageRoot + "/jobs/checksum/checksum"
    guard geteuid() == 0 else {
      return try export.sandbox.run(script, arguments, environment: environment)
    }
    // Without the right of root to read everything.
    return try export.sandbox.run(
      "setpriv", ["--bounding-set=-dac_override,-dac_read_search", "--", script] + arguments,
      environment: environment)
  }

  /// The sum of one flag's numbers over all calls of `jobrun progress`.
  private func total(of flag: String) throws -> Int {
    let calls = try String(contentsOfFile: export.sandbox.root + "/calls", encoding: .utf8)
    let words = calls.split(whereSeparator: \.isWhitespace)
    return zip(words, words.dropFirst()).reduce(0) { sum, pair in
      pair.0 == flag ? sum + (Int(pair.1) ?? 0) : sum
    }
  }

  @Test func `lists every file, and what it reports adds up to the total`() throws {
    try export.makeAlbum()
    for number in 0..<200 { try export.sandbox.write("\(number)", to: "album/many/\(number)") }
    let finished = try run(["album", "sums"])
    #expect(finished.status == 0, "\(finished.errors)")
    let check = try export.sandbox.run("sha256sum", ["--check", "--quiet", "sums"])
    #expect(check.status == 0, "\(check.output)\(check.errors)")
    let sums = try String(contentsOfFile: export.sandbox.path("sums"), encoding: .utf8)
    #expect(sums.split(separator: "\n").count == 207)
    #expect(try total(of: "--total") > 1_900_000)
    #expect(try total(of: "--advance") == total(of: "--total"))
    #expect(try export.names() == ["album", "sums"])
  }

  @Test func `writes to its log without a target`() throws {
    try export.sandbox.write("hello", to: "album/greeting")
    let finished = try run(["album"])
    #expect(finished.status == 0)
    #expect(
      finished.output
        == "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824  album/greeting\n")
  }

  @Test func `a name with a line feed is reported as one line`() throws {
    try export.sandbox.write("one", to: "album/a\nb")
    let finished = try run(["album", "sums"])
    #expect(finished.status == 0, "\(finished.errors)")
    let calls = try String(contentsOfFile: export.sandbox.root + "/calls", encoding: .utf8)
    #expect(calls.contains("--subtitle album/ab\n"), "\(calls)")
    #expect(try total(of: "--advance") == 3)
  }

  @Test func `what is neither a folder nor a file is refused`() throws {
    let finished = try run(["/dev/null", "sums"])
    #expect(finished.status == 1)
    #expect(finished.errors == "checksum: /dev/null is neither a folder nor a file\n")
    #expect(try export.names() == [])
  }

  @Test func `counts what it cannot read and keeps the list of the others`() throws {
    try export.makeAlbum()
    #expect(unsafe chmod(export.sandbox.path("album/a b.txt"), 0) == 0)
    #expect(unsafe chmod(export.sandbox.path("album/empty folder"), 0) == 0)
    defer { _ = unsafe chmod(export.sandbox.path("album/empty folder"), 0o755) }
    let finished = try run(["album", "sums"])
    #expect(finished.status == 2)
    #expect(finished.errors.contains("checksum: 2 files could not be read"))
    let sums = try String(contentsOfFile: export.sandbox.path("sums"), encoding: .utf8)
    #expect(sums.split(separator: "\n").count == 6)
  }

  @Test func `leaves nothing when it is told to stop`() throws {
    try export.makeAlbum()
    try export.stop()
    let finished = try run(["album", "sums"])
    #expect(finished.status == 143)
    #expect(try export.names() == ["album"])
    let left = try FileManager.default.contentsOfDirectory(atPath: export.sandbox.root)
    #expect(!left.contains { $0.hasPrefix("checksum-") })
  }

  @Test func `removes what a killed attempt of its own job left, and nothing of another's`() throws
  {
    try export.makeAlbum()
    let ln = "#!/bin/sh\nkill -KILL \"$PPID\"\n"
    try export.sandbox.write(ln, to: "../bin/ln", executable: true)
    let path = ["PATH": export.sandbox.root + "/bin:/usr/bin:/bin"]
    let foreign = ["JOBRUN_STATE_DIR": export.sandbox.root + "/bin"]
    _ = try run(["album", "sums"], adding: path.merging(foreign) { $1 })
    let left = try export.names()
    #expect(left.count == 2 && left[0].hasPrefix(".checksum.partial-"), "\(left)")
    _ = try run(["album", "sums"], adding: path)
    #expect(try export.names().count == 3)
    #expect(try run(["album", "sums"]).status == 0)
    #expect(try export.names() == left + ["sums"])
  }

  @Test(
    arguments: [
      (["missing"], 1, "missing does not exist"), (["album", "there"], 1, "there exists already"),
      (["album", "nowhere/sums"], 1, "no file can be made in nowhere"),
      (["--froce"], 64, "unknown flag --froce"), (["a", "b", "c"], 64, "not 3 names"),
    ] as [([String], Int32, String)])
  func `refuses with one sentence`(arguments: [String], status: Int32, message: String) throws {
    try export.makeAlbum()
    try export.sandbox.write("precious", to: "there")
    let finished = try run(arguments)
    #expect(finished.status == status)
    #expect(finished.errors.contains(message), "\(finished.errors)")
  }
}
