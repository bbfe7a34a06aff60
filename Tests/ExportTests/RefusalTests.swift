import Foundation
import JobPage
import TestKit
import Testing

@Suite(.timeLimit(.minutes(60)))
struct `What export refuses` {
  struct Case: Sendable, CustomTestStringConvertible {
    var arguments: [String]
    var status: Int32
    var message: String
    var testDescription: String { arguments.joined(separator: " ") }
  }

  @Test func `the help names the endings that are taken, and no others`() throws {
    let export = try ExportRun()
    try export.makeAlbum()
    _ = try export.run("album", "out.rar")
    let taken = try export.page().message.split(separator: " one of ")[1].split(separator: ", ")
    let definition = try String(
      contentsOfFile: BuiltProducts.packageRoot + "/jobs/export/job.json", encoding: .utf8)
    let told = definition.split(separator: "the archive (")[1].prefix { $0 != ")" }
      .split(whereSeparator: { ", ".contains($0) }).filter { $0 != "or" }
    #expect(told == taken)
  }

  @Test(arguments: [
    Case(
      arguments: ["missing"], status: 1,
      message: "cannot export missing: No such file or directory"),
    Case(
      arguments: ["album", "album/out.zip"], status: 1, message: "it would be inside"),
    Case(
      arguments: ["album", "way in/out.zip"], status: 1, message: "it would be inside"),
    Case(
      arguments: ["album", "there.zip"], status: 1,
      message: "cannot write there.zip: it exists already; --force replaces it"),
    Case(
      arguments: ["--force", "there.zip", "there.zip"], status: 1,
      message: "cannot write there.zip: it is the SOURCE itself"),
    Case(
      arguments: ["--force", "album", "folder.zip/x.zip"], status: 1,
      message: "its folder folder.zip: No such file or directory"),
    Case(
      arguments: ["album", "out.rar"], status: 1, message: "its name must end in one of .tar.gz"),
    Case(
      arguments: ["album", "nowhere/out.zip"], status: 1,
      message: "its folder nowhere: No such file or directory"),
    Case(
      arguments: ["/dev/null", "out.zip"], status: 1,
      message: "cannot export /dev/null: it is neither a folder nor a file"),
    Case(
      arguments: ["--froce"], status: 64,
      message: "export has no flag --froce; see export --help"),
    Case(
      arguments: ["a", "b", "c"], status: 64,
      message: "export takes SOURCE and TARGET, not 3 names"),
  ])
  func `is answered with one sentence and changes nothing`(_ refused: Case) throws {
    let export = try ExportRun()
    try export.makeAlbum()
    try export.sandbox.write("precious", to: "there.zip")
    try FileManager.default.createSymbolicLink(
      atPath: export.sandbox.path("way in"), withDestinationPath: "album/days")
    let before = try export.names() + export.names(in: "album") + export.names(in: "album/days")
    let finished = try export.start(refused.arguments).wait()
    #expect(finished.status == refused.status)
    let page = try export.page()
    #expect(page.outcome == .failure)
    #expect(page.message.contains(refused.message), "\(page.message)")
    #expect(
      try export.names() + export.names(in: "album") + export.names(in: "album/days") == before)
    #expect(
      try String(contentsOfFile: export.sandbox.path("there.zip"), encoding: .utf8) == "precious")
  }

  @Test func `is replaced with --force`() throws {
    let export = try ExportRun()
    try export.makeAlbum()
    try export.sandbox.write("precious", to: "there.zip")
    #expect(try export.run("--force", "album", "there.zip").status == 0)
    #expect(try UnpackedArchive(export.sandbox.path("there.zip"))["album/a b.txt"] != nil)
    #expect(try export.names() == ["album", "there.zip"])
  }

  @Test func `by hand it says how it is started, and still explains itself`() throws {
    let sandbox = try Sandbox()
    let bare = try sandbox.run("export", ["."])
    #expect(bare.status == 64)
    #expect(bare.errors.contains("jobrun submit"))
    let usage = try sandbox.run("export", ["--help"])
    #expect(usage.status == 0)
    #expect(usage.output.contains("usage: export [--force] SOURCE [TARGET]"))
    #expect(try sandbox.run("export", ["--froce"]).status == 64)
  }
}
