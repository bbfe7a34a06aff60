import Foundation
import JobWire
import TestKit
import Testing

/// A sandbox with a bundle of shell jobs, as a person would write them, and `jobrun` to run them.
final class Workshop {
  let sandbox: Sandbox
  /// What its processes find in their environment besides.
  var variables: [String: String] = [:]

  /// A workshop whose runner has `slots` slots, and whose bundle declares `capabilities` (JSON).
  init(slots: Int = 2, capabilities: String = "[]") throws {
    sandbox = try Sandbox()
    try FileManager.default.createDirectory(
      atPath: sandbox.home, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    try Data("{\"slots\": \(slots)}".utf8)
      .write(to: URL(fileURLWithPath: sandbox.home + "/config.json"))
    try sandbox.write(
      """
      {"identifier": "org.example.workshop", "name": "Workshop", "capabilities": \(capabilities)}
      """, to: "jobs/bundle.json")
  }

  /// Defines a job as a shell script; `more` are further keys of its manifest.
  func define(_ name: String, _ script: String, _ more: String = "") throws {
    try sandbox.write(
      """
      {"identifier": "org.example.workshop.\(name).*", "command": ["\(name)"]\(more)}
      """, to: "jobs/\(name)/job.json")
    try sandbox.write("#!/bin/sh\n\(script)\n", to: "jobs/\(name)/\(name)", executable: true)
  }

  /// A job that makes `$READY`, then waits until the test opens `gate`.
  func defineGated(_ name: String, _ more: String = "") throws {
    try define(name, "echo \"$JOBRUN_JOB\" > \"$READY.$JOBRUN_JOB\"\nread line < \"$GATE\"", more)
    _ = gate
  }

  /// A named pipe; a job that reads from it waits until `open` is called.
  var gate: String {
    let path = sandbox.path("gate")
    if !FileManager.default.fileExists(atPath: path) { _ = unsafe mkfifo(path, 0o600) }
    return path
  }

  /// Releases every job that waits at the gate, and every later one.
  func openGate() throws -> ChildProcess {
    try sandbox.start("sh", ["-c", "exec 3<>\"$0\"; yes go >&3", gate])
  }

  var environment: [String: String] {
    ["GATE": gate, "READY": sandbox.path("ready")].merging(variables) { $1 }
  }

  /// Has runners know nothing of this machine: on one whose disks are busy or whose memory is short,
  /// be it by other tests, background tasks and pushes wait.
  func forgetMachine() { variables["JOBRUN_SYSTEM_ROOT"] = sandbox.path("machine") }

  /// Waits until the gated job with this number runs.
  func awaitReady(_ number: UInt64) throws {
    try WaitFor.file(sandbox.path("ready.\(number)"))
  }

  /// The same, until the runner says so: a job may be seen to run before its runner has heard of it.
  func awaitRunning(_ number: UInt64) throws {
    try awaitReady(number)
    #expect(try jobrun("wait", "\(number)", "--until", "running").status == 0)
  }

  /// Runs `jobrun` to its end.
  @discardableResult
  func jobrun(
    _ arguments: String..., environment: [String: String] = [:],
    within limit: Duration = Deadline.timeout
  ) throws -> ChildProcess.Finished {
    try sandbox.run(
      "jobrun", arguments, environment: self.environment.merging(environment) { $1 },
      within: limit)
  }

  /// Starts `jobrun` and leaves it running.
  func start(_ arguments: String..., environment: [String: String] = [:]) throws -> ChildProcess {
    try sandbox.start(
      "jobrun", arguments, environment: self.environment.merging(environment) { $1 })
  }

  /// Starts `jobrun` on a terminal.
  func start(_ arguments: String..., on terminal: Pseudoterminal) throws -> ChildProcess {
    try sandbox.start("jobrun", arguments, on: terminal, environment: environment)
  }

  /// Submits without waiting; the accepted job.
  func submit(_ arguments: String..., environment: [String: String] = [:]) throws -> JobStatus {
    let finished = try sandbox.run(
      "jobrun", ["submit"] + arguments + ["--detach", "--json"],
      environment: self.environment.merging(environment) { $1 })
    #expect(finished.status == 0, "\(finished.errors)")
    return try Self.object(finished.output)
  }

  /// The job as `show --json` tells it.
  func show(_ number: UInt64) throws -> JobStatus {
    try Self.object(try jobrun("show", "\(number)", "--json").output)
  }

  /// Waits for the end of a job and gives it as it was stored.
  @discardableResult
  func waitForEnd(_ number: UInt64) throws -> JobStatus {
    try jobrun("wait", "\(number)")
    return try show(number)
  }

  /// Waits until the feed has an event of this kind; returns all lines until then.
  @discardableResult
  func feed(until kind: String, of number: UInt64, since: UInt64 = 0) throws -> String {
    let feed = try start("feed", "--since", "\(since)")
    defer { feed.signal(2) }
    var told = ""
    while !told.contains("\"event\":\"\(kind)\",\"job\":{\"number\":\(number),") {
      told = try feed.wait(for: "\"event\":\"\(kind)\",\"job\":{\"number\":\(number),")
    }
    return told
  }

  /// The last job object in some lines of JSON.
  static func object(_ text: String) throws -> JobStatus {
    let line = try #require(text.split(separator: "\n").last)
    return try JobStatus(json: Array(line.utf8)[...])
  }
}
