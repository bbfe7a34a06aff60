import BackgroundTasks
import JobPage
import LinuxSystem
import TestKit

/// A job as the runner would launch it, but in the test's own process: with a real page.
final class HostedJob: Sendable {
  static let identifier = "io.example.samples.export.trip"

  let scheduler: BGTaskScheduler
  /// The exit code that the worker's process would end with.
  let exitCode = Awaited<Int32>()
  private let sandbox: Sandbox
  private let pagePath: String

  init(identifier: String = HostedJob.identifier, kind: String? = nil) throws {
    sandbox = try Sandbox()
    pagePath = sandbox.path("page")
    try PageFile.create(pagePath, number: 12, attempt: 1)
    var environment = [
      "JOBRUN_PAGE": pagePath, "JOBRUN_IDENTIFIER": identifier, "JOBRUN_ATTEMPT": "2",
      "JOBRUN_STATE_DIR": sandbox.work,
    ]
    environment["JOBRUN_KIND"] = kind
    scheduler = BGTaskScheduler(environment: environment)
  }

  @discardableResult
  func launch() throws -> BGTask {
    try scheduler.launch { [exitCode] in exitCode.set($0) }
  }

  /// The page as the runner sees it.
  func page() throws -> PageSnapshot {
    var reader = try PageReader(path: pagePath)
    return reader.snapshot()
  }

  /// The grace that `stop` gives the worker.
  static let grace = Duration.seconds(600)

  /// Tells the worker to stop, as the runner does; `grace` is left then.
  func stop(reason: UInt32 = 1) throws {
    try PageControl(path: pagePath).stop(
      reason: reason, deadline: AwakeClock.now() + 600_000_000_000)
  }

  /// Reads the page until `condition` holds, while other tests run.
  func page(where condition: (PageSnapshot) -> Bool) async throws -> PageSnapshot {
    let deadline = Deadline()
    while true {
      let snapshot = try page()
      if condition(snapshot) { return snapshot }
      guard !deadline.hasPassed else {
        throw Overdue(awaited: "the page", limit: deadline.limit, seen: "\(snapshot)")
      }
      await Task.yield()
    }
  }
}
