import Foundation
import JobPage
import TestKit

/// Transfers as the runner launches them: the real executable, a real page, folders of their own.
final class TransferRun {
  let sandbox: Sandbox
  private let job: String
  private var attempts = 0

  /// `job`: `download` or `upload`.
  init(_ job: String) throws {
    self.job = job
    sandbox = try Sandbox()
    try FileManager.default.createDirectory(
      atPath: sandbox.root + "/state", withIntermediateDirectories: false)
  }

  /// An upload of `trip.tar`, which has this content.
  convenience init(uploading content: [UInt8]) throws {
    try self.init("upload")
    try Data(content).write(to: URL(filePath: sandbox.path("trip.tar")))
  }

  /// The folder that the job keeps from attempt to attempt.
  var state: String { sandbox.root + "/state" }
  /// The page of the next one.
  var nextPagePath: String { sandbox.root + "/page\(attempts + 1)" }
  private var pagePath: String { sandbox.root + "/page\(attempts)" }

  func start(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws -> ChildProcess {
    attempts += 1
    try PageFile.create(pagePath, number: 12, attempt: 1)
    return try sandbox.start(
      job, arguments,
      environment: [
        "JOBRUN_PAGE": pagePath, "JOBRUN_IDENTIFIER": "io.jobrun.samples.\(job).test",
        "JOBRUN_STATE_DIR": sandbox.root + "/state",
        "no_proxy": "*",
      ].merging(environment) { $1 })
  }

  func run(_ arguments: String...) throws -> ChildProcess.Finished {
    try start(arguments).wait()
  }

  /// The page of the last run.
  func page() throws -> PageSnapshot {
    var reader = try PageReader(path: pagePath)
    return reader.snapshot()
  }

  /// The content of a file in the folder; nil without one.
  func content(_ name: String = "file.bin") -> [UInt8]? {
    FileManager.default.contents(atPath: sandbox.path(name)).map { Array($0) }
  }

  /// All names in the folder, sorted.
  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: sandbox.path("")).sorted()
  }

  /// Bytes that compress badly, the same for the same seed.
  static func bytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }
}
