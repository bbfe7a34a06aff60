import BackgroundTasks
import Foundation
import JobPage
import Testing

@Suite(.timeLimit(.minutes(60)))
struct `Ending a task` {
  private struct Unreadable: LocalizedError {
    var errorDescription: String? { "the photo cannot be read" }
  }

  @Test func `the return of an async handler is a success with its message`() async throws {
    let job = try HostedJob()
    job.scheduler.register(forTaskWithIdentifier: HostedJob.identifier) { task in
      task.message = "5 files"
    }
    try job.launch()
    #expect(try await job.exitCode.value == 0)
    let page = try job.page()
    #expect(page.outcome == .success)
    #expect(page.message == "5 files")
  }

  @Test func `a thrown error fails the job with its description`() async throws {
    let job = try HostedJob()
    job.scheduler.register(forTaskWithIdentifier: HostedJob.identifier) { _ in throw Unreadable() }
    try job.launch()
    #expect(try await job.exitCode.value == 1)
    let page = try job.page()
    #expect(page.outcome == .failure)
    #expect(page.message == "the photo cannot be read")
  }

  @Test func `a failure may choose its exit code`() async throws {
    let job = try HostedJob()
    job.scheduler.register(forTaskWithIdentifier: HostedJob.identifier) { _ in
      throw JobFailure("3 could not be read", exitCode: 2)
    }
    try job.launch()
    #expect(try await job.exitCode.value == 2)
    #expect(try job.page().message == "3 could not be read")
  }

  @Test func `a deferral is declared with its delay`() async throws {
    let job = try HostedJob()
    job.scheduler.register(forTaskWithIdentifier: HostedJob.identifier) { _ in
      throw JobDeferral(for: .milliseconds(90_500), message: "the archive is locked")
    }
    try job.launch()
    #expect(try await job.exitCode.value == 75)
    let page = try job.page()
    #expect(page.outcome == .deferred)
    #expect(page.deferSeconds == 91)
    #expect(page.message == "the archive is locked")
  }

  @Test func `completing twice keeps the first outcome`() async throws {
    let job = try HostedJob()
    job.scheduler.register(forTaskWithIdentifier: HostedJob.identifier, using: nil) { task in
      task.setTaskCompleted(success: true)
      task.setTaskCompleted(success: false)
    }
    try job.launch()
    #expect(try await job.exitCode.value == 0)
    #expect(try job.page().outcome == .success)
  }

  @Test func `a task may be completed after its handler has returned`() async throws {
    let job = try HostedJob()
    let handed = Awaited<BGTask>()
    job.scheduler.register(forTaskWithIdentifier: HostedJob.identifier, using: nil) { task in
      handed.set(task)
    }
    try job.launch()
    let task = try await handed.value
    #expect(try job.page().outcome == .none)
    task.setTaskCompleted(success: false)
    #expect(try await job.exitCode.value == 1)
  }

  @Test func `title and subtitle reach the page`() async throws {
    let job = try HostedJob()
    job.scheduler.register(forTaskWithIdentifier: HostedJob.identifier) { task in
      task.updateTitle("Trip 2026", subtitle: "day 1")
      task.updateSubtitle("day 2")
      #expect(task.title == "Trip 2026")
      #expect(task.subtitle == "day 2")
    }
    try job.launch()
    _ = try await job.exitCode.value
    let page = try job.page()
    #expect(page.title == "Trip 2026")
    #expect(page.subtitle == "day 2")
  }

  @Test func `signs of life and quiet phases reach the page`() async throws {
    let job = try HostedJob()
    job.scheduler.register(forTaskWithIdentifier: HostedJob.identifier) { task in
      task.reportAlive()
      task.announceQuiet(for: .seconds(3600))
    }
    try job.launch()
    _ = try await job.exitCode.value
    let page = try job.page()
    #expect(page.reports >= 2)
    #expect(page.quietUntil > 3_600_000_000_000)
  }
}
