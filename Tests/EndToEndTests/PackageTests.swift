import Foundation
import JobWire
import TestKit
import Testing

/// The results of `make deb` and `make dist` from the tested build.
@Suite(.serialized) struct PackageTests {
  private let workshop: Workshop
  private var packages: String { workshop.sandbox.path("packages") }

  init() throws {
    workshop = try Workshop()
  }

  /// The file that is made; pressed together as little as possible, as a build for tests is large.
  private func make(_ target: String) throws -> String {
    let made = try workshop.sandbox.run(
      "make",
      ["--silent", target, "RELEASE=" + BuiltProducts.folder, "PACKAGES=" + packages],
      environment: ["LEVEL": "0"], directory: BuiltProducts.packageRoot)
    try #require(made.status == 0, "\(made)")
    return String(try #require(made.output.split(separator: "\n").last))
  }

  private func sum(_ path: String) throws -> String {
    String(try workshop.sandbox.run("sha256sum", [path]).output.prefix(64))
  }

  @Test func `an archive works from wherever it is unpacked, and is the same twice`() throws {
    let archive = try make("dist")
    let first = try sum(archive)
    #expect(try sum(try make("dist")) == first)
    let place = workshop.sandbox.path("somewhere else")
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    try workshop.sandbox.run("tar", ["-xf", archive, "-C", place, "--strip-components=1"])
    let folder = try workshop.sandbox.write("text\n", to: "source/text")
    let done = try workshop.sandbox.run(
      place + "/bin/jobrun",
      ["submit", "checksum", "--", (folder as NSString).deletingLastPathComponent])
    #expect(done.status == 0, "\(done)")
    let report = try workshop.sandbox.run(place + "/bin/jobrun", ["report", "1"])
    #expect(report.output.contains("<svg") || report.output.contains("No progress was recorded"))
  }

  @Test func `completions of a package lie where the shells of Debian look`() throws {
    let listed = try workshop.sandbox.run("dpkg-deb", ["--contents", try make("deb")])
    for file in [
      "bash-completion/completions/jobrun", "zsh/vendor-completions/_jobrun",
      "fish/vendor_completions.d/jobrun.fish",
    ] {
      #expect(listed.output.contains("/usr/share/\(file)\n"), "\(listed)")
    }
  }

  @Test func `a package is the same twice, and a plain user of a clean machine uses it`() throws {
    if SystemdMachine.root == nil {
      try Test.cancel(
        "JOBRUN_SYSTEMD_ROOT names no machine; as root, .ci/systemd-machine FOLDER builds one")
    }
    let package = try make("deb")
    let first = try sum(package)
    #expect(try sum(try make("deb")) == first)
    let machine = try SystemdMachine()
    try FileManager.default.copyItem(atPath: package, toPath: machine.shared + "/jobrun.deb")
    let installed = try machine.run(
      "sh", "-c",
      "cd /booted && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends ./jobrun.deb"
    )
    try #require(installed.status == 0, "\(installed)")
    try machine.addUser("anna", lingers: false)
    let used = try machine.session(
      of: "anna",
      """
      PATH=/usr/bin:/bin; mkdir trip; echo text > trip/text
      jobrun submit checksum --title "Checksums of the trip" -- ~/trip && ls trip
      jobrun list --all --format number,outcome; jobrun web
      """)
    #expect(used.output.contains("1\tsucceeded"), "\(used)")
    #expect(used.errors.contains("the page needs libmicrohttpd"), "\(used)")
    #expect(used.status == 69, "\(used)")
    let removed = try machine.run("sh", "-c", "apt-get remove -y jobrun && ls /usr/libexec/jobrun")
    #expect(removed.errors.contains("No such file"), "\(removed)")
  }
}
