import Foundation
import JobCore
import JobWire
import LinuxSystem
import TestKit

/// A sandbox with a bundle of every kind of job, a stub of NVIDIA's library and a folder of ledgers.
final class Workplace {
  let sandbox: Sandbox
  let paths: Paths
  let ledgers: String
  private let environment: [String: String]

  /// Jobs that run at the same time.
  static let slots = 16

  /// `preparing` sees the sandbox before anything is written into it.
  convenience init(preparing: (Sandbox) throws -> Void = { _ in }) throws {
    try self.init(engines: []) {
      try preparing($0)
      return [:]
    }
  }

  /// With engines of one Slurm that share the folder `shared` of the sandbox; `preparing` returns additional
  /// environment variables.
  init(engines names: [String], preparing: (Sandbox) throws -> [String: String]) throws {
    sandbox = try Sandbox()
    let special = try preparing(sandbox)
    paths = try Paths(
      environment: Environment(sandbox.environment), user: CurrentProcess.userIdentifier)
    ledgers = sandbox.path("ledgers")
    let library = sandbox.path("libnvidia-ml.so.1")
    environment = [
      "LEDGER": ledgers, "JOBRUN_NVML": library, "STUB_NVML": "two",
    ].merging(special) { $1 }
    try File.makeDirectory(ledgers)
    try StubLibrary.build("StubNVML/stub_nvml.c", at: library)
    let engines = names.map {
      #""\#($0)": {"kind": "slurm", "folder": "\#(sandbox.path("shared"))"}"#
    }
    let settings =
      #"{"slots": \#(Self.slots), "resources": {"licence": 2},"#
      + #" "engines": {\#(engines.joined(separator: ", "))}}"#
    try Data(settings.utf8).write(to: URL(fileURLWithPath: sandbox.home + "/config.json"))
    try sandbox.write(
      #"{"identifier": "org.example.torture", "name": "Torture", "capabilities": ["gpu"]}"#,
      to: "jobs/bundle.json")
    for kind in Kind.allCases { try define(kind) }
  }

  private func define(_ kind: Kind) throws {
    let name = kind.rawValue
    try sandbox.write(
      """
      {"identifier": "org.example.torture.\(name).*", "command": ["\(name)"]\(kind.manifest)}
      """, to: "jobs/\(name)/job.json")
    try sandbox.write(kind.script, to: "jobs/\(name)/\(name)", executable: true)
  }

  /// The path of a kind's script.
  func script(of kind: Kind) -> String { sandbox.path("jobs/\(kind.rawValue)/\(kind.rawValue)") }

  /// Starts `jobrun` and leaves it running.
  func start(_ arguments: [String]) throws -> Command {
    try sandbox.start("jobrun", arguments, environment: environment)
  }

  /// Runs `jobrun` to its end.
  func run(_ arguments: [String]) throws -> Command.Finished {
    try sandbox.run("jobrun", arguments, environment: environment)
  }

  /// Starts `jobrun` with its output in a file, which may become any size.
  func start(_ arguments: [String], output path: String) throws -> Command {
    try sandbox.start(
      "sh", ["-c", "output=$1; shift; exec jobrun \"$@\" > \"$output\"", "sh", path] + arguments,
      environment: environment)
  }

  /// The ledger of a job's workers.
  func ledger(of number: JobNumber) -> String { "\(ledgers)/\(number)" }

  /// All jobs of the store; none, and a violation, when they cannot be listed.
  func storedJobs(reportingTo violations: inout [Violation]) throws -> [JobStatus] {
    let listed = try run(["list", "--all", "--json"])
    guard listed.status == 0 else {
      violations.append(Violation(.lost, "the store cannot be listed: \(listed.errors)"))
      return []
    }
    return try listed.output.split(separator: "\n").map { try JobStatus(json: Array($0.utf8)[...]) }
  }

  /// The runner that holds the lock, or held it last.
  var runner: ProcessIdentity? {
    let words = text(paths.runnerLock).split(separator: "\n")
    guard words.count > 1, let pid = Int32(words[1]),
      let identity = ProcessIdentity(pid: pid), identity.isAlive
    else { return nil }
    return identity
  }

  /// Supervisors that wait to be asked for copies by this runner.
  func readySupervisors(of runner: ProcessIdentity?) -> [Int32] {
    children(of: runner, named: "jobrun-shim").filter { pid in
      (try? File.linkTarget("/proc/\(pid)/fd/3"))?.hasPrefix("socket:") == true
    }
  }

  /// Supervisors of jobs, and template ones: processes with an open file of the home.
  func supervisors() -> [Int32] {
    names(in: "/proc").compactMap { Int32($0) }.filter { pid in
      guard text("/proc/\(pid)/comm") == "jobrun-shim\n" else { return false }
      return names(in: "/proc/\(pid)/fd").contains { descriptor in
        let target = try? File.linkTarget("/proc/\(pid)/fd/\(descriptor)")
        return target?.hasPrefix(sandbox.home) == true
      }
    }
  }

  /// The helpers of this runner's engines.
  func helpers(of runner: ProcessIdentity?) -> [Int32] {
    children(of: runner, named: "jobrun-engine")
  }

  private func children(of runner: ProcessIdentity?, named name: String) -> [Int32] {
    guard let runner else { return [] }
    return names(in: "/proc").compactMap { Int32($0) }.filter { pid in
      guard let status = ProcessStatus(pid: pid) else { return false }
      return status.parent == runner.pid && status.name == name
    }
  }

  /// A file's content as text; empty when it is not there.
  func text(_ path: String) -> String {
    String(decoding: (try? File.readAll(path)) ?? [], as: UTF8.self)
  }

  /// The names in a folder, ascending; none when it is not there.
  func names(in path: String) -> [String] { ((try? File.names(in: path)) ?? []).sorted() }
}
