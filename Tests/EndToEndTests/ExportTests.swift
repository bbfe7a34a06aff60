import Foundation
import Glibc
import JobCore
import JobWire
import TestKit
import Testing

/// The main job on real input, through every process that a user would have.
@Suite struct ExportTests {
  /// A folder with text, random bytes, links, empty things and names that need care.
  static func folder(_ workshop: Workshop, files: Int = 200, bytesEach: Int = 4_096) throws
    -> String
  {
    var generator = SeededGenerator(seed: 7)
    // Longer than gzip looks back, so repeating it does not make the archive smaller.
    let block = Data((0..<65_536).map { _ in UInt8(truncatingIfNeeded: generator.next()) })
    for number in 0..<files {
      var bytes = Data("file \(number)".utf8)
      while bytes.count < bytesEach { bytes += block }
      let path = workshop.sandbox.path("trip/day \(number % 7)/phöto-\(number).raw")
      try workshop.sandbox.write("", to: "trip/day \(number % 7)/phöto-\(number).raw")
      try bytes.prefix(bytesEach).write(to: URL(fileURLWithPath: path))
    }
    try workshop.sandbox.write("", to: "trip/empty")
    try FileManager.default.createSymbolicLink(
      atPath: workshop.sandbox.path("trip/link"), withDestinationPath: "empty")
    return workshop.sandbox.path("trip")
  }

  static let jobs = ["JOBRUN_JOBS": BuiltProducts.packageRoot + "/jobs"]

  @Test(arguments: ["tar.gz", "tar.zst", "zip"])
  func `an exported folder unpacks to the same bytes`(ending: String) throws {
    let workshop = try Workshop()
    let source = try Self.folder(workshop)
    let target = workshop.sandbox.path("out.\(ending)")
    let finished = try workshop.jobrun(
      "submit", "export", "--title", "Trip", "--", source, target, environment: Self.jobs)
    #expect(finished.status == 0, "\(finished.errors)")
    let unpacked = workshop.sandbox.path("unpacked")
    try FileManager.default.createDirectory(
      atPath: unpacked, withIntermediateDirectories: false)
    let command =
      ending == "zip" ? "unzip -q \(target) -d \(unpacked)" : "tar -C \(unpacked) -xf \(target)"
    #expect(try workshop.sandbox.run("sh", ["-c", command]).status == 0)
    let compared = try workshop.sandbox.run(
      "diff", ["-r", "--no-dereference", source, unpacked + "/trip"])
    #expect(compared.status == 0, "\(compared.output)")
    let job = try workshop.show(1)
    #expect(job.progress?.fraction == 1)
    #expect(job.progress?.unit == .bytes)
  }

  @Test func `Ctrl-C in the middle leaves no file under the final name and no process`() throws {
    let workshop = try Workshop()
    let source = try Self.folder(workshop, files: 20)
    // Would take minutes.
    let endless = try workshop.sandbox.write("", to: "trip/day 3/endless")
    #expect(unsafe truncate(endless, 200_000_000_000) == 0)
    let target = workshop.sandbox.path("out.tar.gz")
    let terminal = try Pseudoterminal(columns: 100)
    let command = try workshop.sandbox.start(
      "jobrun", ["submit", "export", "--title", "Trip", "--", source, target], on: terminal,
      environment: Self.jobs)
    try terminal.read(until: "%")
    try terminal.send("\u{3}")
    #expect(try command.wait().status == 130)
    #expect(!FileManager.default.fileExists(atPath: target))
    let beside = try FileManager.default.contentsOfDirectory(atPath: workshop.sandbox.work)
    #expect(!beside.contains { $0.contains("out.tar.gz") }, "\(beside)")
    #expect(workshop.strays() == [])
    #expect(try workshop.show(1).outcome == .cancelled)
  }

  @Test func `an existing archive is not overwritten without force`() throws {
    let workshop = try Workshop()
    let source = try Self.folder(workshop, files: 3)
    let target = try workshop.sandbox.write("precious", to: "out.zip")
    let refused = try workshop.jobrun(
      "submit", "export", "--", source, target, environment: Self.jobs)
    #expect(refused.status != 0)
    #expect(refused.errors.contains("--force"), "\(refused.errors)")
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "precious")
    let forced = try workshop.jobrun(
      "submit", "export", "--", "--force", source, target, environment: Self.jobs)
    #expect(forced.status == 0, "\(forced.errors)")
  }

  @Test func `without a TARGET the archive lies beside its source, and the receipt says where`()
    throws
  {
    let workshop = try Workshop()
    let source = try Self.folder(workshop, files: 3)
    let finished = try workshop.sandbox.run(
      "jobrun", ["submit", "export", "--title", "Trip", "--subtitle", "everything", "--", "."],
      environment: Self.jobs, directory: source)
    #expect(finished.status == 0, "\(finished.errors)")
    let beside = try FileManager.default.contentsOfDirectory(atPath: workshop.sandbox.work)
    let name = try #require(beside.first { $0.hasPrefix("trip-") && $0.hasSuffix(".tar.gz") })
    #expect(finished.errors.contains("archive: \(workshop.sandbox.path(name))\n"))
  }

  @Test func `a wrong source or target fails with one sentence`() throws {
    let workshop = try Workshop()
    let source = try Self.folder(workshop, files: 3)
    for (arguments, named) in [
      ([workshop.sandbox.path("missing"), workshop.sandbox.path("a.zip")], "missing"),
      ([source, source + "/inside.zip"], "inside"),
      ([source, workshop.sandbox.path("a.rar")], "rar"),
    ] {
      let finished = try workshop.sandbox.run(
        "jobrun", ["submit", "export", "--"] + arguments, environment: Self.jobs)
      #expect(finished.status != 0)
      #expect(finished.errors.contains(named), "\(finished.errors)")
    }
  }

  @Test func `checksum lists every file, as a script that reports through jobrun progress`() throws
  {
    let workshop = try Workshop()
    let source = try Self.folder(workshop, files: 12)
    let sums = workshop.sandbox.path("SHA256SUMS")
    let finished = try workshop.jobrun(
      "submit", "checksum", "--", source, sums, environment: Self.jobs)
    #expect(finished.status == 0, "\(finished.errors)")
    let checked = try workshop.sandbox.run(
      "sha256sum", ["--quiet", "-c", sums], directory: source)
    #expect(checked.status == 0, "\(checked.output)\(checked.errors)")
    #expect(try workshop.show(1).progress?.fraction == 1)
  }
}
