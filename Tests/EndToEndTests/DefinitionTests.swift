import Foundation
import JobCore
import JobWire
import TestKit
import Testing

/// The help of definitions, the check of their arguments, and their build.
struct DefinitionTests {
  private static let samples = ["JOBRUN_JOBS": BuiltProducts.packageRoot + "/jobs"]
  private static let export = """
    Usage: jobrun submit export [flags] -- [--force] SOURCE [TARGET]

    Export (io.jobrun.samples.export.*, of the bundle Samples)

    Packs a folder, or one file, into one archive. The archive appears under its
    name only when it is complete. Files that cannot be read are listed, and the job
    then ends as failed (exit code 2), with the archive of all others kept.

    Arguments:
      SOURCE  what to pack
      TARGET  optional: the archive (.tar.gz, .tgz, .tar.zst, .tzst or .zip), or a
              folder for it; else NAME-TIME.tar.gz beside SOURCE; --force replaces
              one that is there

    Limits:
      may run for    as long as it takes
      stalled after  30 s without progress; then it asks
      expires after  2 min without a sign of life
      time to stop   10 s

    """

  private let shop: Workshop

  init() throws {
    shop = try Workshop()
  }

  @Test(arguments: [
    ["help", "export"], ["submit", "export", "--help"], ["submit", "export", "--", "--help"],
    ["submit", "export", "--", "-h"], ["submit", "export", "--", "a", "--help", "b"],
    ["help", "io.jobrun.samples.export.trip"],
  ])
  func `a definition explains itself, and no job is made`(words: [String]) throws {
    let finished = try shop.sandbox.run("jobrun", words, environment: Self.samples)
    #expect(finished.status == 0 && finished.errors.isEmpty, "\(finished.errors)")
    #expect(finished.output.hasPrefix(Self.export), "\(finished.output)")
    #expect(finished.output.hasSuffix("jobrun help submit lists the flags.\n"))
    #expect(shop.sandbox.processes.isEmpty)
  }

  @Test func `every sample says what it is and how it is called`() throws {
    let listed = try shop.jobrun("jobs", "--json", environment: Self.samples).output
    let names = try listed.split(separator: "\n").map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      let about = try #require(object?["about"] as? String)
      #expect(about.hasSuffix("."))
      return try #require(object?["name"] as? String)
    }
    #expect(
      names == [
        "checksum", "download", "export", "gpu-check", "mirror", "refresh", "upload", "vacuum",
      ])
    for name in names {
      let help = try shop.jobrun("help", name, environment: Self.samples)
      #expect(help.status == 0 && help.output.hasPrefix("Usage: jobrun s"), "\(help.errors)")
      for line in help.output.split(separator: "\n") where !line.contains("/") {
        #expect(line.count <= 80, "\(line)")
      }
    }
    let people = try shop.jobrun("jobs", environment: Self.samples)
    #expect(people.output.contains("export     Packs a folder, or one file, into one archive\n"))
  }

  @Test(arguments: [
    (["submit", "export"], "export needs SOURCE; usage: jobrun submit export [flags] -- ["),
    (["submit", "mirror"], "mirror needs SOURCE and TARGET; usage: jobrun submit mirror"),
    (["submit", "mirror", "--", "--update", "a"], "mirror needs TARGET"),
    (["schedule", "vacuum"], "vacuum needs FOLDER; usage: jobrun schedule vacuum"),
    (["schedule", "refresh", "--", "--every", "1h", "file:///a"], "refresh needs FILE"),
  ])
  func `missing arguments are refused before anything is submitted`(
    words: [String], sentence: String
  ) throws {
    let finished = try shop.sandbox.run("jobrun", words, environment: Self.samples)
    #expect(finished.status == 64)
    #expect(finished.errors.hasPrefix("jobrun: \(sentence)"), "\(finished.errors)")
    #expect(shop.sandbox.processes.isEmpty)
  }

  @Test func `a verb's name wins, and what is neither is said so`() throws {
    try shop.define("log", "true", #", "about": "A job that is called log.""#)
    #expect(try shop.jobrun("help", "log").output.hasPrefix("Usage: jobrun log [ID …]"))
    #expect(try shop.jobrun("submit", "log", "--help").output.contains("A job that is called log."))
    let unknown = try shop.jobrun("help", "exprot")
    #expect(unknown.status == 64)
    #expect(unknown.errors.contains("\"exprot\" is not a verb, topic or job"))
  }

  @Test func `a definition that says nothing gets its arguments as they are`() throws {
    try shop.define("echo", "echo \"got $*\"")
    let job = try Workshop.object(
      try shop.jobrun("submit", "echo", "--detach", "--json", "--", "--help").output)
    try shop.waitForEnd(job.number.value)
    #expect(try shop.jobrun("log", "\(job.number)").output == "got --help\n")
    #expect(
      try shop.jobrun("help", "echo").output.hasPrefix("Usage: jobrun submit echo [-- ARG …]"))
  }

  // MARK: The build

  /// A definition whose build copies its source; `compiler` is a stand-in for a real one.
  private func defineCompiled(_ compiler: String = "cp source program && chmod +x program") throws {
    try shop.sandbox.write(
      """
      {"identifier": "org.example.workshop.built.*", "command": ["out/program"],
       "build": ["sh", "-c", "echo compiling; mkdir -p out; \(compiler); mv program out"]}
      """, to: "jobs/built/job.json")
    try shop.sandbox.write(
      "#!/bin/sh\necho \"one, of $JOBRUN_BUNDLE\"\n", to: "jobs/built/source")
    // Older than any build, so that only a test's changes are newer.
    try shop.sandbox.run("touch", ["-d", "2020-01-01", shop.sandbox.path("jobs/built/source")])
  }

  @Test func `what is missing or older than its sources is built before a submission`() throws {
    try defineCompiled("cp source program && chmod +x program")
    // The build's output is below a name with a dot, as with most build tools.
    let manifest = try String(
      contentsOfFile: shop.sandbox.path("jobs/built/job.json"), encoding: .utf8)
    try shop.sandbox.write(manifest.replacing("out", with: ".out"), to: "jobs/built/job.json")
    let first = try shop.jobrun("submit", "built", "-f")
    #expect(first.status == 0, "\(first.errors)")
    #expect(first.output.contains("one, of \(shop.sandbox.path("jobs"))\n"))
    #expect(first.errors.hasPrefix("building built: sh -c") && first.errors.contains("built in "))
    #expect(!first.errors.contains("\ncompiling"))
    let second = try shop.jobrun("submit", "built", "-f")
    #expect(second.status == 0 && !second.errors.contains("building"), "\(second.errors)")
    try shop.sandbox.write("#!/bin/sh\necho two\n", to: "jobs/built/source")
    let third = try shop.jobrun("submit", "built", "-f")
    #expect(third.errors.contains("building") && third.output.contains("two\n"))
  }

  @Test func `a build that fails is shown, and nothing is submitted`() throws {
    try defineCompiled("echo 'source:3: what is this' >&2; exit 3")
    let finished = try shop.jobrun("submit", "built", "--json")
    #expect(finished.status == 73)
    #expect(finished.errors.contains("compiling\nsource:3: what is this\n"))
    #expect(finished.errors.contains("built could not be built: sh -c"))
    #expect(finished.errors.contains("ended with code 3; nothing was submitted\n"))
    #expect(finished.output.hasPrefix(#"{"error":{"code":"cannotCreate""#))
    #expect(try shop.jobrun("list", "--all", "--json").output.isEmpty)
    let again = try shop.jobrun("submit", "built")
    #expect(again.status == 73 && again.errors.contains("compiling"))
  }

  @Test func `a builder that is not there is named`() throws {
    try shop.define("built", "true", #", "build": ["no-such-compiler", "-O"]"#)
    let finished = try shop.jobrun("submit", "built")
    #expect(finished.status == 73)
    #expect(finished.errors.contains("no-such-compiler -O cannot be run"), "\(finished.errors)")
  }

  @Test func `on a terminal the build shows itself as it goes`() throws {
    try defineCompiled()
    let terminal = try Pseudoterminal(columns: 200, rows: 24)
    let process = try shop.start("submit", "built", on: terminal)
    let shown = try terminal.read(until: "built in ")
    #expect(shown.contains("compiling"))
    terminal.close()
    _ = try process.wait()
  }
}
