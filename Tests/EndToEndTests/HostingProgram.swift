import Foundation
import TestKit

/// An ordinary program that hosts tasks: `hosted-probe`, controlled through a named pipe.
///
/// Its pid is that of the program itself.
final class HostingProgram {
  static let prefix = "org.example.workshop.hosted"

  let process: ChildProcess
  private let commands: FileHandle

  /// Starts it in the workshop's bundle, unless `environment` overrides that.
  init(in workshop: Workshop, environment: [String: String] = [:]) throws {
    let pipe = workshop.sandbox.path("commands.\(UUID().uuidString)")
    guard unsafe mkfifo(pipe, 0o600) == 0 else { throw SystemCallFailure("mkfifo \(pipe)") }
    let usual = [
      "JOBRUN_BUNDLE": workshop.sandbox.path("jobs"), "PROBE_PREFIX": Self.prefix,
      "PROBE": try BuiltProducts.path("hosted-probe"), "COMMANDS": pipe,
    ]
    process = try workshop.sandbox.start(
      "sh", ["-c", "exec \"$PROBE\" 0<> \"$COMMANDS\""],
      environment: usual.merging(environment) { $1 })
    commands = try FileHandle(forWritingTo: URL(fileURLWithPath: pipe))
    try process.wait(for: "ready")
  }

  func tell(_ command: String) throws {
    try commands.write(contentsOf: Data((command + "\n").utf8))
  }

  /// Waits until it has said this.
  @discardableResult
  func says(_ text: String) throws -> String { try process.wait(for: text) }

  /// Submits a task and waits until its handler runs.
  func begin(_ name: String, _ options: String = "") throws {
    try tell("submit \(name) \(options)")
    try says("began \(Self.prefix).\(name)\n")
  }
}
