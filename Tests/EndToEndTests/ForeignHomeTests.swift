import Foundation
import Glibc
import TestKit
import Testing

/// Settings and state folders that another user can write to.
///
/// As root, there are two separate users, whose folders are writable by all; without root there is no other
/// user, and files that are writable by all stand for foreign ones.
@Suite(.runsAsAnotherUser)
struct ForeignHomeTests {
  private static let stranger: UInt32 = 65_534
  /// Random, because concurrent runs of these tests share the shared-memory folder.
  private let user = UInt32.random(in: 60_000..<65_000)

  private let sandbox: Sandbox
  private var files: FileManager { .default }
  /// The user's home.
  private var home: String { sandbox.path("home") }
  /// The file that the stranger's command creates when it is run.
  private var trace: String { sandbox.path("shared/trace") }

  init() throws {
    sandbox = try Sandbox()
    for path in [sandbox.root, sandbox.work] { #expect(unsafe chmod(path, 0o755) == 0) }
    for (path, mode) in [(home, 0o755), (sandbox.path("shared"), 0o1777)] as [(String, mode_t)] {
      try files.createDirectory(atPath: path, withIntermediateDirectories: false)
      #expect(unsafe chmod(path, mode) == 0)
    }
    if geteuid() == 0 { #expect(unsafe chown(home, user, user) == 0) }
  }

  /// Runs a script as one of the users.
  @discardableResult
  private func run(_ script: String, as other: UInt32? = nil) throws -> ChildProcess.Finished {
    let words = [
      "--reuid=\(other ?? user)", "--regid=\(other ?? user)", "--clear-groups", "sh", "-c",
    ]
    let (program, prefix) = geteuid() == 0 ? ("setpriv", words) : ("sh", ["-c"])
    let folders = ["JOBRUN_HOME": "", "HOME": home, "XDG_RUNTIME_DIR": ""]
    return try sandbox.run(
      program, prefix + ["umask 0; cd \(home)\n" + script], environment: folders)
  }

  /// Runs a job as the user, which must fail with this message.
  private func expectRefusal(_ words: String...) throws {
    for verb in ["run -- touch ran", "list", "web --port 0", "runner status"] {
      let finished = try run("jobrun \(verb)")
      #expect(finished.status == 77, "\(verb): \(finished)")
      for word in words + ["must belong to you or root", "JOBRUN_HOME"] {
        #expect(finished.errors.contains(word), "\(verb): \(finished.errors)")
      }
    }
    #expect(!files.fileExists(atPath: trace) && !files.fileExists(atPath: home + "/ran"))
  }

  /// Settings with the stranger's command.
  private var settings: String {
    "{\\\"onEnd\\\": {\\\"command\\\": \\\"id -u >> \(trace)\\\", \\\"after\\\": \\\"0s\\\"}}"
  }

  @Test func `settings that somebody else has written or may write are not obeyed`() throws {
    try run("mkdir -p .config/jobrun; echo \"\(settings)\" > .config/jobrun/config.json")
    let file = "\(home)/.config/jobrun/config.json"
    // Under umask 0 all folders are writable; the message names the topmost.
    try expectRefusal("the settings are not used: \(home)/.config is writable by everyone")
    try run("chmod -R go-w .config; chmod 666 \(file)")
    try expectRefusal("the settings are not used: \(file) is writable by everyone")
    if geteuid() == 0 {
      #expect(unsafe chmod(file, 0o644) == 0 && chown(file, Self.stranger, Self.stranger) == 0)
      try expectRefusal("the settings are not used: \(file) belongs to user \(Self.stranger)")
    }
    #expect(!files.fileExists(atPath: "\(home)/.local"))
    // After the correction the settings apply.
    if geteuid() == 0 { #expect(unsafe chown(file, user, user) == 0) }
    #expect(unsafe chmod(file, 0o644) == 0)
    #expect(try run("jobrun run -- true").status == 0)
    try WaitFor.file(trace)
    #expect(try run("jobrun runner stop").status == 0)
  }

  @Test func `a state folder below one that others may write to is not used`() throws {
    #expect(unsafe chmod(home, 0o777) == 0)
    try expectRefusal("the state folder is not used: \(home) is writable by everyone")
    try run("mkdir -p .local/state/jobrun", as: Self.stranger)
    #expect(unsafe chmod(home, 0o755) == 0)
    let reason =
      geteuid() == 0 ? "belongs to user \(Self.stranger)" : "is writable by everyone"
    try expectRefusal("the state folder is not used: \(home)/.local \(reason)")
  }

  @Test func `a mistake in the settings leads to no runner in a folder of others`() throws {
    #expect(try run("jobrun run -- true").status == 0)
    try run("umask 022; mkdir -p .config/jobrun; echo '{' > .config/jobrun/config.json")
    #expect(try run("jobrun list").status == 0)
    let state = "\(home)/.local/state/jobrun"
    #expect(unsafe chmod(state, 0o777) == 0)
    let refused = try run("jobrun list")
    #expect(refused.status == 77)
    let reason = "the state folder is not used: \(state) is writable by everyone"
    #expect(refused.errors.contains(reason), "\(refused.errors)")
    #expect(unsafe chmod(state, 0o700) == 0)
    #expect(try run("jobrun runner stop").status == 0)
  }

  @Test(.enabled(if: geteuid() == 0, "only root can run something as two users"))
  func `nothing that two users of umask 0 leave about is run or reached by the other`() throws {
    let shared = "/dev/shm/jobrun-\(user)"
    // There may be one of an earlier test that was killed.
    try? files.removeItem(atPath: shared)
    try run("mkdir \(shared) \(sandbox.path("shared"))/jobrun-\(user)", as: Self.stranger)
    defer { try? files.removeItem(atPath: shared) }
    let temporary = "export TMPDIR=\(sandbox.path("shared"));"
    #expect(try run("\(temporary) jobrun run -- touch ran").status == 0)
    let told = try run("\(temporary) jobrun runner status").output
    #expect(told.contains("\(shared) is not used, as \(shared) belongs to user"), "\(told)")
    #expect(told.contains("/.local/state/jobrun/run is used instead"), "\(told)")
    // Even with umask 0, only the user can write to the program's files.
    let open = try run("find \(home)/.local/state \\( -perm /022 \\) ! -type l")
    #expect(open.output == "", "\(open)")
    let lock = "\(home)/.local/state/jobrun/runner.lock"
    #expect(try run("cat \(lock)", as: Self.stranger).status != 0)
    #expect(try run("JOBRUN_HOME= jobrun list", as: Self.stranger).status == 77)
    #expect(try run("\(temporary) jobrun runner stop").status == 0)
  }
}
