import BackgroundTasks
import Foundation
import Testing

@Suite(.timeLimit(.minutes(60)))
struct `An embedded scheduler on a virtual clock` {
  private static let identifier = "io.example.export.trip"

  private let clock = VirtualClock()
  private let scheduler: BGTaskScheduler

  init() {
    scheduler = BGTaskScheduler.embedded(clock: clock)
  }

  private func request(_ identifier: String = Self.identifier) -> BGContinuedProcessingTaskRequest {
    BGContinuedProcessingTaskRequest(identifier: identifier, title: "Export", subtitle: "Trip")
  }

  /// Runs a task that reports through `start` and then waits to be cancelled.
  private func launch(
    _ start: @escaping @Sendable (BGContinuedProcessingTask) -> Void = { _ in }
  ) async throws -> BGContinuedProcessingTask {
    let launched = Awaited<BGContinuedProcessingTask>()
    scheduler.register(forTaskWithIdentifier: "io.example.export.*") { task in
      start(task)
      launched.set(task)
      for await _ in AsyncStream<Void>.makeStream().stream {}
      try Task.checkCancellation()
    }
    try scheduler.submit(request())
    return try await launched.value
  }

  private func end() async throws -> BGTaskRecord {
    try #require(
      await scheduler.taskRecord(forTaskWithIdentifier: Self.identifier) { $0.state == .ended })
  }

  private func record() async throws -> BGTaskRecord {
    try #require(await scheduler.taskRecord(forTaskWithIdentifier: Self.identifier))
  }

  @Test func `work that is done is recorded with its progress and its message`() async throws {
    scheduler.register(forTaskWithIdentifier: Self.identifier) { task in
      #expect((task.title, task.subtitle) == ("Export", "Trip"))
      task.progress.totalUnitCount = 3
      for _ in 0..<3 { task.progress.completedUnitCount += 1 }
      task.message = "3 files"
    }
    try scheduler.submit(request())
    let record = try await end()
    #expect(record.outcome == .succeeded)
    #expect(record.message == "3 files")
    #expect(record.progress?.fraction == 1)
    #expect(record.stopReason == nil)
  }

  @Test func `a silent task is expired after two minutes and not before`() async throws {
    let task = try await launch()
    clock.advance(by: .seconds(120))
    #expect(task.stopReason == nil)
    clock.advance(by: .seconds(1))
    #expect(task.stopReason == .silent)
    #expect(task.timeRemaining == .seconds(10))
    let record = try await end()
    #expect(record.outcome == .expired)
    #expect(record.stopReason == .silent)
  }

  @Test func `a task that reports and does not advance is asked about`() async throws {
    let task = try await launch { task in
      task.progress.totalUnitCount = 10
      task.progress.completedUnitCount = 1
    }
    clock.advance(by: .seconds(31))
    task.reportAlive()
    clock.advance(by: .seconds(40))
    #expect(try await record().state == .stalled)
    #expect(await scheduler.answerStall(ofTaskWithIdentifier: Self.identifier, continues: true))
    #expect(try await record().state == .running)
    task.reportAlive()
    clock.advance(by: .seconds(62))
    #expect(try await record().state == .stalled)
    #expect(await scheduler.answerStall(ofTaskWithIdentifier: Self.identifier, continues: false))
    #expect(task.stopReason == .stallDeclined)
    #expect(try await end().outcome == .expired)
  }

  @Test func `an advance takes the question back`() async throws {
    let task = try await launch { $0.progress.totalUnitCount = 10 }
    try scheduler.simulateStall(forTaskWithIdentifier: Self.identifier)
    #expect(try await record().state == .stalled)
    task.advance(by: 1)
    clock.advance(by: .seconds(31))
    #expect(try await record().state == .running)
  }

  @Test func `an expiration can be simulated`() async throws {
    let task = try await launch()
    try scheduler.simulateExpiration(forTaskWithIdentifier: Self.identifier)
    #expect(task.stopReason == .silent)
    #expect(try await end().outcome == .expired)
    #expect(throws: BGTaskScheduler.Error.self) {
      try scheduler.simulateExpiration(forTaskWithIdentifier: Self.identifier)
    }
  }

  @Test func `a cancelled task is told so`() async throws {
    let task = try await launch()
    task.cancel()
    #expect(task.stopReason == .user)
    #expect(try await end().outcome == .cancelled)
  }

  @Test func `what is announced to be quiet is not silent`() async throws {
    let task = try await launch { $0.announceQuiet(for: .seconds(600)) }
    clock.advance(by: .seconds(700))
    #expect(task.stopReason == nil)
    clock.advance(by: .seconds(100))
    #expect(task.stopReason == .silent)
  }

  @Test func `a deferred task comes back at its time with the next attempt`() async throws {
    scheduler.register(forTaskWithIdentifier: Self.identifier) { task in
      if task === BGTask.current, task.message.isEmpty, await scheduler.isFirst(Self.identifier) {
        throw JobDeferral(for: .seconds(60), message: "the archive is locked")
      }
    }
    try scheduler.submit(request())
    let waiting = await scheduler.taskRecord(forTaskWithIdentifier: Self.identifier) {
      $0.pendingReason?.code == "notBefore"
    }
    #expect(waiting?.state == .queued)
    clock.advance(by: .seconds(60))
    let record = try await end()
    #expect(record.outcome == .succeeded)
    #expect(record.attempt == 2)
  }
}

extension BGTaskScheduler {
  /// Whether the newest task with this identifier makes its first attempt.
  fileprivate func isFirst(_ identifier: String) async -> Bool {
    await taskRecord(forTaskWithIdentifier: identifier)?.attempt == 1
  }
}
