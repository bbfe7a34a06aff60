import BackgroundTasks
import Dispatch
import Foundation
import JobPage
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(60)))
struct `Stopping a task` {
  private struct Seen: Sendable {
    var reason: BGTask.StopReason?
    var left: Duration?
  }

  @Test(
    arguments: zip(
      [1, 2, 3, 4, 5, 6, 7, 99] as [UInt32],
      [
        "user", "superseded", "silent", "stallDeclined", "limit", "requirementLost", "runnerStop",
        "unknown",
      ]))
  func `the expiration handler is called with the reason`(word: UInt32, code: String) async throws {
    let job = try HostedJob()
    let seen = Awaited<Seen>()
    let ready = Awaited<Bool>()
    job.scheduler.register(forTaskWithIdentifier: HostedJob.identifier, using: nil) { task in
      #expect(task.stopReason == nil)
      #expect(task.timeRemaining == nil)
      task.expirationHandler = {
        seen.set(Seen(reason: task.stopReason, left: task.timeRemaining))
        task.setTaskCompleted(success: false)
      }
      ready.set(true)
    }
    try job.launch()
    #expect(try await ready.value)
    try job.stop(reason: word)
    let answer = try await seen.value
    #expect(answer.reason?.rawValue == code)
    let left = try #require(answer.left)
    #expect(left > .zero && left <= HostedJob.grace)
    #expect(try await job.exitCode.value == 1)
  }

  @Test func `a loop that never leaves its queue is still told to stop`() async throws {
    let job = try HostedJob()
    let queue = DispatchQueue(label: "serial")
    let ready = Awaited<Bool>()
    job.scheduler.register(forTaskWithIdentifier: HostedJob.identifier, using: queue) { task in
      let told = DispatchSemaphore(value: 0)
      task.expirationHandler = { told.signal() }
      ready.set(true)
      told.wait()
      task.setTaskCompleted(success: false)
    }
    try job.launch()
    #expect(try await ready.value)
    try job.stop()
    #expect(try await job.exitCode.value == 1)
  }

  @Test func `the expiration handler runs once however often the job is stopped`() async throws {
    let job = try HostedJob()
    let calls = Mutex(0)
    let handed = Awaited<BGTask>()
    let expired = Awaited<Bool>()
    job.scheduler.register(forTaskWithIdentifier: HostedJob.identifier, using: nil) { task in
      task.expirationHandler = {
        calls.withLock { $0 += 1 }
        expired.set(true)
      }
      handed.set(task)
    }
    try job.launch()
    let task = try await handed.value
    try job.stop(reason: 1)
    #expect(try await expired.value)
    try job.stop(reason: 3)
    #expect(task.expirationHandler == nil)
    #expect(task.stopReason == .user)
    task.setTaskCompleted(success: false)
    _ = try await job.exitCode.value
    #expect(calls.withLock(\.self) == 1)
  }

  @Test func `a handler that comes after the stop is called at once`() async throws {
    let job = try HostedJob()
    let ready = Awaited<Bool>()
    job.scheduler.register(forTaskWithIdentifier: HostedJob.identifier, using: nil) { task in
      let told = DispatchSemaphore(value: 0)
      task.expirationHandler = { told.signal() }
      ready.set(true)
      told.wait()
      task.expirationHandler = { task.setTaskCompleted(success: false) }
    }
    try job.launch()
    #expect(try await ready.value)
    try job.stop()
    #expect(try await job.exitCode.value == 1)
  }

  @Test func `without an expiration handler the task ends as unsuccessful`() async throws {
    let job = try HostedJob()
    job.scheduler.register(forTaskWithIdentifier: HostedJob.identifier, using: nil) { _ in }
    try job.launch()
    try job.stop()
    #expect(try await job.exitCode.value == 1)
    #expect(try job.page().outcome == .failure)
  }

  @Test func `a stop cancels the Swift task and its progress`() async throws {
    let job = try HostedJob()
    let cancelled = Awaited<Bool>()
    let ready = Awaited<Bool>()
    job.scheduler.register(forTaskWithIdentifier: HostedJob.identifier) { task in
      ready.set(true)
      // Ends with the cancellation of this Swift task only.
      for await _ in AsyncStream<Void>.makeStream().stream {}
      cancelled.set(task.progress.isCancelled)
      try Task.checkCancellation()
    }
    try job.launch()
    #expect(try await ready.value)
    try job.stop(reason: 5)
    #expect(try await cancelled.value)
    #expect(try await job.exitCode.value == 1)
    let page = try job.page()
    #expect(page.outcome == .failure)
    #expect(page.message.isEmpty)
  }

  @Test func `work that is done after the stop may still declare success`() async throws {
    let job = try HostedJob()
    let ready = Awaited<Bool>()
    job.scheduler.register(forTaskWithIdentifier: HostedJob.identifier, using: nil) { task in
      guard let task = task as? BGContinuedProcessingTask else { return }
      task.progress.totalUnitCount = 3
      task.expirationHandler = {
        task.progress.completedUnitCount = 3
        task.setTaskCompleted(success: true)
      }
      ready.set(true)
    }
    try job.launch()
    #expect(try await ready.value)
    try job.stop()
    #expect(try await job.exitCode.value == 0)
    let page = try job.page()
    #expect(page.outcome == .success)
    #expect((page.completed, page.total) == (3, 3))
  }
}
