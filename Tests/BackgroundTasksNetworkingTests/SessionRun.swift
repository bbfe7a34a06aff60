import Foundation
import TestKit

/// Programs with a background session, one after the other, in one sandbox with a real runner.
final class SessionRun {
  let sandbox: Sandbox
  private let environment: [String: String]

  /// `more` is added to the programs' environment.
  init(slots: Int = 8, _ more: [String: String] = [:]) throws {
    sandbox = try Sandbox()
    try FileManager.default.createDirectory(
      atPath: sandbox.home, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    try Data("{\"slots\": \(slots)}".utf8)
      .write(to: URL(fileURLWithPath: sandbox.home + "/config.json"))
    try sandbox.write(
      "{\"identifier\": \"org.example.sessions\", \"name\": \"Sessions\"}", to: "app/bundle.json")
    try sandbox.write("", to: "diary")
    guard unsafe mkfifo(sandbox.path("go"), 0o600) == 0 else { throw SystemCallFailure("mkfifo") }
    environment = [
      "JOBRUN_BUNDLE": sandbox.path("app"), "PROBE_DIARY": sandbox.path("diary"), "no_proxy": "*",
    ].merging(more) { $1 }
  }

  /// Starts a program with these steps (`Tests/Fixtures/SessionProbe/Script.swift`).
  func start(_ steps: [String], program: String = "session-probe") throws -> ChildProcess {
    try sandbox.start(program, steps, environment: environment)
  }

  func start(_ steps: String...) throws -> ChildProcess { try start(steps) }

  /// Runs one to its end.
  @discardableResult
  func run(_ steps: String...) throws -> ChildProcess.Finished {
    try sandbox.start("session-probe", steps, environment: environment).wait()
  }

  /// The events that the programs received, in order.
  var diary: [String] {
    let text = (try? String(contentsOfFile: sandbox.path("diary"), encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
  }

  /// The events that begin with this word.
  func told(_ word: String) -> [String] { diary.filter { $0.hasPrefix(word) } }

  /// Waits until a line of the diary contains this text.
  func await(_ text: String) throws {
    try WaitFor.file(sandbox.path("diary"), contains: text)
  }

  /// Releases a program that waits at the step `go`.
  func go() throws { try sandbox.run("sh", ["-c", "echo go >go"]) }

  func jobrun(_ arguments: String...) throws -> String {
    try sandbox.run("jobrun", arguments).output
  }

  /// The content of a file in the programs' folder; nil without one.
  func content(_ name: String) -> [UInt8]? {
    FileManager.default.contents(atPath: sandbox.path(name)).map { Array($0) }
  }

  /// The lock of the process that has the session open.
  var lock: String { folder + "/lock" }

  private var folder: String { sandbox.home + "/state/sessions/org.example.sessions/probe" }

  /// Puts a file where an earlier process left it.
  func leave(_ text: String, as name: String = "task.json", ofTransfer number: Int) throws {
    try FileManager.default.createDirectory(
      atPath: folder + "/\(number)", withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/\(number)/\(name)"))
  }

  /// Takes the launch back that was asked for, with the session's note of it.
  func forgetLaunch() throws {
    let note = folder + "/launch"
    _ = try jobrun("cancel", String(contentsOfFile: note, encoding: .utf8))
    try FileManager.default.removeItem(atPath: note)
  }

  /// Waits until the session has so many transfers; 0: the events of all are delivered.
  func awaitLeftovers(_ count: Int) throws {
    try WaitFor.change(
      at: folder + "/1", awaited: "\(count) transfers in the session", within: Deadline.timeout
    ) {
      leftovers.count == count ? true : nil
    }
  }

  /// Waits until the file of a download is complete, but not delivered.
  func awaitFile(ofTransfer number: Int) throws { try WaitFor.file(folder + "/\(number)/file") }

  /// The remaining files of the session's transfers.
  var leftovers: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { Int($0) != nil }.sorted()
  }

  /// Bytes that compress badly, the same for the same seed.
  static func bytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }

  /// A good server that has `content` under every name.
  static func server(_ content: [UInt8]) throws -> FileServer {
    try FileServer { request, _ in .file(content, to: request) }
  }
}
