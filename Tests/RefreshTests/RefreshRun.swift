import Foundation
import JobPage
import TestKit

/// One refresh as the runner launches it: the real executable and a real page.
final class RefreshRun {
  let sandbox: Sandbox
  private let pagePath: String

  init() throws {
    sandbox = try Sandbox()
    pagePath = sandbox.root + "/page"
  }

  func refresh(
    _ arguments: String..., environment: [String: String] = [:]
  ) throws -> ChildProcess.Finished {
    try refresh(arguments, environment: environment)
  }

  func refresh(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws -> ChildProcess.Finished {
    try? FileManager.default.removeItem(atPath: pagePath)
    try PageFile.create(pagePath, number: 12, attempt: 1)
    let own = [
      "JOBRUN_PAGE": pagePath, "JOBRUN_IDENTIFIER": "io.jobrun.samples.refresh",
      "JOBRUN_KIND": "refresh", "no_proxy": "127.0.0.1",
    ]
    return try sandbox.run(
      "refresh", arguments, environment: own.merging(environment) { $1 })
  }

  func text(_ name: String) throws -> String {
    try String(contentsOfFile: sandbox.path(name), encoding: .utf8)
  }

  func page() throws -> PageSnapshot {
    var reader = try PageReader(path: pagePath)
    return reader.snapshot()
  }

  /// The files in the sandbox's folder, sorted.
  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: sandbox.work).sorted()
  }
}
