import Foundation
import TestKit
import Testing

/// The installation of `make install` below its PREFIX, used from there; `make test-release` installs the
/// release.
struct InstalledTests {
  private let workshop: Workshop
  private var prefix: String { workshop.sandbox.path("prefix") }
  private var samples: String { prefix + "/libexec/jobrun/jobs/" }

  init() throws {
    workshop = try Workshop()
    let installed = try workshop.sandbox.run(
      "make",
      [
        "install", "PREFIX=" + workshop.sandbox.path("prefix"), "DESTDIR=",
        "RELEASE=" + BuiltProducts.folder,
      ],
      directory: BuiltProducts.packageRoot)
    try #require(installed.status == 0, "\(installed)")
  }

  /// Submits with the installed command, in a locale that differs from that of the build.
  private func submit(_ arguments: String...) throws -> ChildProcess.Finished {
    try workshop.sandbox.run(
      prefix + "/bin/jobrun", ["submit"] + arguments,
      environment: ["PATH": prefix + "/bin:/usr/bin:/bin", "LC_ALL": "de_DE.UTF-8"])
  }

  @Test func `each sample job works from there`() throws {
    let source = try workshop.sandbox.write("some text\n", to: "source/text")
    let folder = workshop.sandbox.path("source")
    #expect(try submit("export", "--", folder, workshop.sandbox.path("a.tar.gz")).status == 0)
    #expect(try submit("mirror", "--", folder, workshop.sandbox.path("copy")).status == 0)
    #expect(try submit("checksum", "--", folder, workshop.sandbox.path("sums")).status == 0)
    let kept = workshop.sandbox.path("kept")
    #expect(try submit("refresh", "--", "--once", "file://" + source, kept).status == 0)
    #expect(FileManager.default.contents(atPath: kept) == Data("some text\n".utf8))
    #expect(try submit("vacuum", "--", folder).status == 0)
  }

  @Test func `the one that uses a GPU says what it lacks`() throws {
    let finished = try workshop.sandbox.run(samples + "gpu-check")
    #expect(finished.status == 64)
    #expect(finished.errors.contains("this program is a job"))
  }

  @Test func `the sample jobs are one file`() throws {
    let identifiers = try [
      "export", "mirror", "vacuum", "refresh", "gpu-check", "download", "upload",
    ].map {
      try FileManager.default.attributesOfItem(atPath: samples + $0)[.systemFileNumber] as? Int
    }
    #expect(Set(identifiers).count == 1)
  }

  @Test func `called by another name it says which it goes by`() throws {
    try FileManager.default.linkItem(atPath: samples + "export", toPath: samples + "exports")
    let finished = try workshop.sandbox.run(samples + "exports")
    #expect(finished.status == 64)
    #expect(finished.errors.contains("refresh, gpu-check, download or upload; not exports"))
  }

  @Test func `the manual is there, as help and as manual pages`() throws {
    let shown = try workshop.sandbox.run(prefix + "/bin/jobrun", ["help", "groups"])
    #expect(shown.output.hasPrefix("Groups and order\n"), "\(shown)")
    let page = try String(
      contentsOfFile: prefix + "/share/man/man1/jobrun-groups.1", encoding: .utf8)
    #expect(page.contains("\n.SH PRIORITIES\n"))
    try FileManager.default.removeItem(atPath: prefix + "/share/jobrun/manual/groups.md")
    let missing = try workshop.sandbox.run(prefix + "/bin/jobrun", ["help", "groups"])
    #expect(missing.status == 69 && missing.errors.contains("manual/groups.md"), "\(missing)")
  }

  @Test func `a release takes no more room than was promised`() throws {
    let counted = try workshop.sandbox.run("du", ["-s", "--block-size=1", prefix])
    let bytes = try #require(counted.output.split(separator: "\t").first.flatMap { Int($0) })
    let supervisor = try FileManager.default.attributesOfItem(
      atPath: prefix + "/libexec/jobrun/jobrun-shim")
    guard BuiltProducts.areReleased else { return }
    #expect(bytes <= 60_000_000)
    // Of a release without Embedded Swift (EMBEDDED=0) it is seven times as large.
    #expect(try #require(supervisor[.size] as? Int) <= 1_000_000)
  }

  @Test func `a worker that was linked small says why it cannot format by locale`() throws {
    let finished = try workshop.sandbox.run("locale-probe")
    guard BuiltProducts.areReleased else {
      #expect(finished.output == "Thursday, January 1, 1970\n", "\(finished)")
      return
    }
    #expect(finished.ending == .signalled(SIGABRT))
    #expect(finished.errors.contains("of ICU's data is missing"))
    #expect(finished.errors.contains("make release ICU=1"))
  }
}
