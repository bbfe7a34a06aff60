import Foundation
import Glibc
import JobWire
import TestKit
import Testing

/// Another user of the machine who tries to make this user run his programs.
///
/// As root, that user (65534) really makes the files, in a separate process; without root folders are opened to
/// all users instead, which must not help him either.
@Suite struct SecondUserTests {
  private let workshop: Workshop
  private var sandbox: Sandbox { workshop.sandbox }
  /// Where both may write, as in the system's temporary folder.
  private var shared: String { sandbox.path("shared") }
  /// The file that his program creates when it is run.
  private var trace: String { sandbox.path("shared/trace") }

  init() throws {
    workshop = try Workshop()
    for path in [sandbox.root, sandbox.work] { try mode(0o755, path) }
    try FileManager.default.createDirectory(atPath: shared, withIntermediateDirectories: false)
    try mode(0o1777, shared)
    try workshop.define("export", "echo mine")
    try workshop.jobrun("register", sandbox.path("jobs"))
  }

  private func mode(_ mode: Int, _ path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  /// Runs a script as the other user.
  private func stranger(_ script: String) throws {
    let words = ["--reuid=65534", "--regid=65534", "--clear-groups", "sh", "-ec", script]
    let done =
      geteuid() == 0
      ? try sandbox.run("setpriv", words)
      : try sandbox.run("sh", ["-ec", "umask 0\n\(script)"])
    #expect(done.status == 0, "\(done.errors)")
  }

  /// His bundle with a definition of a common name.
  private func plant(in folder: String) throws {
    try stranger(
      """
      mkdir -p \(folder)/export && cd \(folder)
      echo '{"identifier": "org.stranger"}' > bundle.json
      echo '{"identifier": "org.stranger.export.*", "command": ["export"]}' > export/job.json
      printf '#!/bin/sh\\nid -u >> \(trace)\\n' > export/export && chmod 755 export/export
      """)
  }

  /// Submits `export` from a folder; returns the command's output.
  private func submit(
    _ flags: [String] = [], from folder: String, environment: [String: String] = [:]
  ) throws -> ChildProcess.Finished {
    try sandbox.run(
      "jobrun", ["submit", "export", "--title", "t"] + flags + ["--", folder],
      environment: workshop.environment.merging(environment) { $1 }, directory: folder)
  }

  private func expectUntouched(_ finished: ChildProcess.Finished, _ words: String...) {
    #expect(!FileManager.default.fileExists(atPath: trace), "his program was run")
    for word in words { #expect(finished.errors.contains(word), "\(finished.errors)") }
  }

  @Test func `1: a jobs folder in a shared parent is passed over, and the registered one answers`()
    throws
  {
    try plant(in: "\(shared)/jobs")
    let finished = try submit(from: shared)
    expectUntouched(
      finished, "\(shared)/jobs was skipped: \(shared) is writable by everyone")
    #expect(finished.status == 0)
    #expect(try workshop.jobrun("log", "1").output == "mine\n")
  }

  @Test func `2: from a folder of one's own below, the search ends before the shared one`() throws {
    try plant(in: "\(shared)/jobs")
    let own = "\(shared)/own/deep"
    try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
    let finished = try submit(from: own)
    expectUntouched(finished)
    #expect(finished.status == 0)
    #expect(try workshop.jobrun("log", "1").output == "mine\n")
  }

  @Test func `3: somebody who works in his folder is not caught there`() throws {
    try plant(in: "\(shared)/his/jobs")
    let why = geteuid() == 0 ? "belongs to user 65534" : "is writable by everyone"
    let finished = try submit(from: "\(shared)/his")
    expectUntouched(finished, "\(shared)/his/jobs was skipped: \(shared)/his \(why)")
  }

  @Test func `4: his bundle is not taken by name either`() throws {
    try plant(in: "\(shared)/jobs")
    let named = try submit(["--jobs", "\(shared)/jobs"], from: sandbox.work)
    expectUntouched(named, "is not used", "it must belong to you or root")
    #expect(named.status == 77)
    let variable = try submit(from: sandbox.work, environment: ["JOBRUN_JOBS": "\(shared)/jobs"])
    expectUntouched(variable, "\(shared)/jobs/export was skipped")
    #expect(variable.status == 0)
  }

  @Test func `5: his bundle is not registered`() throws {
    try plant(in: "\(shared)/jobs")
    let finished = try workshop.jobrun("register", "\(shared)/jobs")
    expectUntouched(finished, "nothing was registered")
    #expect(finished.status == 77)
    #expect(try !workshop.jobrun("jobs").output.contains("org.stranger"))
  }

  @Test func `6: what was registered and exchanged later does not count any more`() throws {
    let open = sandbox.path("open")
    try sandbox.write("{\"identifier\": \"org.example.open\"}", to: "open/jobs/bundle.json")
    try workshop.jobrun("register", "\(open)/jobs")
    try mode(0o777, open)
    try stranger("mv \(open)/jobs \(open)/old")
    try plant(in: "\(open)/jobs")
    let finished = try workshop.jobrun("submit", "org.stranger.export.x", "--title", "t")
    expectUntouched(finished, "outside every bundle", "\(open)/jobs was skipped")
    #expect(finished.status == 77)
  }

  @Test func `7: a definition that he adds to a bundle of one's own that is open does not count`()
    throws
  {
    try mode(0o777, sandbox.path("jobs"))
    try stranger("mv \(sandbox.path("jobs/export")) \(sandbox.path("jobs/away"))")
    try plant(in: sandbox.path("jobs/x"))
    try stranger("mv \(sandbox.path("jobs/x/export")) \(sandbox.path("jobs/export"))")
    let finished = try submit(from: sandbox.work)
    expectUntouched(finished, "jobs/export was skipped", "is writable by everyone")
  }

  @Test func `8: a manifest that he may write to does not count`() throws {
    let manifest = sandbox.path("jobs/export/job.json")
    try mode(0o666, manifest)
    try stranger(
      """
      echo '{"identifier": "org.example.workshop.export.*", "command": ["sh", "-c",
      "id -u >> \(trace)"]}' > \(manifest)
      """)
    let finished = try submit(from: sandbox.work)
    expectUntouched(finished, "\(manifest) is writable by everyone")
    // The next definition of that name is used: the one of jobrun's samples.
    #expect(try workshop.show(1).identifier.hasPrefix("io.jobrun.samples."))
  }

  @Test func `9: a command that he may write to is not run`() throws {
    let command = sandbox.path("jobs/export/export")
    try mode(0o777, command)
    try stranger("printf '#!/bin/sh\\nid -u >> \(trace)\\n' > \(command)")
    let finished = try submit(from: sandbox.work)
    expectUntouched(finished, "is not run: \(command) is writable by everyone")
    #expect(finished.status == 77)
  }

  @Test func `10: a command behind a link that leads to him is not run`() throws {
    try plant(in: "\(shared)/his")
    let command = sandbox.path("jobs/export/export")
    try FileManager.default.removeItem(atPath: command)
    try FileManager.default.createSymbolicLink(
      atPath: command, withDestinationPath: "\(shared)/his/export/export")
    let finished = try submit(from: sandbox.work)
    expectUntouched(finished, "the job export is not run")
    #expect(finished.status == 77)
  }

  @Test func `11: a pipe in the place of a manifest holds nobody up`() throws {
    try stranger("mkdir -p \(shared)/jobs/export && mkfifo \(shared)/jobs/bundle.json")
    try stranger("mkfifo \(shared)/jobs/export/job.json")
    #expect(try submit(from: shared).status == 0)
    #expect(try workshop.jobrun("register", "\(shared)/jobs").status == 77)
    let own = sandbox.path("jobs/export/job.json")
    try FileManager.default.removeItem(atPath: own)
    #expect(unsafe mkfifo(own, 0o600) == 0)
    expectUntouched(try submit(from: sandbox.work), "\(own) is not a file")
  }

  @Test(arguments: ["builder", "source", "sources", "link"])
  func `13: what he may write to is neither built nor builds`(_ open: String) throws {
    let folder = sandbox.path("jobs/export")
    let script = "#!/bin/sh\nmkdir -p out; cp sources/source out/program; chmod +x out/program\n"
    try sandbox.write(script, to: "jobs/export/builder", executable: true)
    try sandbox.write("#!/bin/sh\necho built\n", to: "jobs/export/sources/source")
    try sandbox.write(
      """
      {"identifier": "org.example.workshop.export.*", "command": ["out/program"],
       "build": ["./builder"]}
      """, to: "jobs/export/job.json")
    switch open {
    case "builder": try mode(0o777, "\(folder)/builder")
    case "source": try mode(0o666, "\(folder)/sources/source")
    case "sources": try mode(0o777, "\(folder)/sources")
    default:
      try stranger("printf '#!/bin/sh\\nid -u >> \(trace)\\n' > \(shared)/source")
      try FileManager.default.removeItem(atPath: "\(folder)/sources/source")
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder)/sources/source", withDestinationPath: "\(shared)/source")
    }
    let finished = try submit(from: sandbox.work)
    expectUntouched(finished, "export is not built: ", "it must belong to you or root")
    #expect(finished.status == 77)
    #expect(!FileManager.default.fileExists(atPath: "\(folder)/out"))
  }

  @Test func `12: a relative entry of PATH does not find his command for a definition`() throws {
    try plant(in: "\(shared)/his")
    try FileManager.default.removeItem(atPath: sandbox.path("jobs/export/export"))
    try stranger("cp \(shared)/his/export/export \(shared)/export")
    let finished = try sandbox.run(
      "jobrun", ["submit", "org.example.workshop.export.x", "--title", "t"],
      environment: workshop.environment.merging(["PATH": ".:/usr/bin:/bin"]) { $1 },
      directory: shared)
    expectUntouched(finished)
    #expect(finished.status != 77)
  }
}
