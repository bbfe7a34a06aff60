import Foundation
import Glibc
import TestKit

/// A separate machine with a real systemd, logind and user managers, booted in a container.
///
/// It starts from the folder that `.ci/systemd-machine` has built, which stays unchanged, and ends with its
/// owner.
final class SystemdMachine {
  /// The folder it starts from; nil without one, or without the permission to boot.
  static let root: String? = {
    guard let root = ProcessInfo.processInfo.environment["JOBRUN_SYSTEMD_ROOT"],
      FileManager.default.fileExists(atPath: root + "/etc/os-release"), geteuid() == 0
    else { return nil }
    return root
  }()

  private static let path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
  private let container: ChildProcess
  private let sandbox: Sandbox
  /// A folder that is /booted inside.
  var shared: String { sandbox.path("booted") }
  /// The process that is number 1 inside.
  private let boot: Int32

  init() throws {
    sandbox = try Sandbox()
    let booted = sandbox.path("booted")
    try FileManager.default.createDirectory(atPath: booted, withIntermediateDirectories: true)
    let folders = [BuiltProducts.folder] + (try Self.runtimes())
    container = try ChildProcess(
      "systemd-nspawn",
      [
        "--quiet", "--directory=\(Self.root ?? "")", "--volatile=overlay", "--register=no",
        "--keep-unit", "--machine=jobrun-\(getpid())", "--private-network", "--console=pipe",
        "--bind=\(booted):/booted",
      ] + folders.map { "--bind-ro=\($0)" } + ["--boot"], environment: ["PATH": Self.path])
    try WaitFor.file(booted + "/now")
    let found = try Self.run("pgrep", ["-P", "\(container.pid)", "systemd"]).output
    guard let boot = Int32(found.split(separator: "\n").joined()) else {
      throw Overdue(awaited: "the first process of the machine", limit: .zero, seen: found)
    }
    self.boot = boot
  }

  deinit {
    // All that is inside ends with its first process.
    _ = kill(boot, SIGKILL)
  }

  /// Folders with the Swift libraries that the executables are linked with; none for those of a release.
  private static func runtimes() throws -> Set<String> {
    let needed = try run("ldd", [BuiltProducts.path("jobrun")]).output
    return Set(
      needed.split(whereSeparator: \.isWhitespace).filter {
        $0.hasPrefix("/") && $0.contains("/libswift")
      }.map { String($0[..<($0.lastIndex(of: "/") ?? $0.startIndex)]) })
  }

  private static func run(_ program: String, _ words: [String]) throws -> ChildProcess.Finished {
    try ChildProcess(program, words, environment: ["PATH": path]).wait()
  }

  /// Runs a command inside as root.
  @discardableResult
  func run(_ words: String...) throws -> ChildProcess.Finished {
    try Self.run("nsenter", ["-t", "\(boot)", "-m", "-u", "-i", "-n", "-p", "-C", "--"] + words)
  }

  /// Logs in as a user, runs a shell script there, and logs out when it has ended.
  ///
  /// Processes that the script leaves behind are in the session, and affected by its end.
  @discardableResult
  func session(of user: String, _ script: String) throws -> ChildProcess.Finished {
    try run(
      "systemd-run", "--quiet", "--wait", "--pipe", "--property=PAMName=login",
      "--property=User=\(user)", "--property=WorkingDirectory=/home/\(user)",
      "--setenv=PATH=\(BuiltProducts.folder):\(Self.path)", "--", "sh", "-c", script)
  }

  /// Makes a user, whose manager stays after a log-out if it lingers.
  func addUser(_ name: String, lingers: Bool) throws {
    try run("useradd", "--create-home", "--shell", "/bin/sh", name)
    if lingers { try run("loginctl", "enable-linger", name) }
  }

  /// Makes logind kill all processes that a session has left behind (logind.conf(5)).
  func killUserProcesses() throws {
    let folder = "/etc/systemd/logind.conf.d"
    try run(
      "sh", "-c",
      "mkdir -p \(folder); printf '[Login]\\nKillUserProcesses=yes\\n' >\(folder)/kill.conf;"
        + " systemctl restart systemd-logind")
  }
}
