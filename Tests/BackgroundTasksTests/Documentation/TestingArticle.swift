import BackgroundTasks
import Foundation
import Testing

// The Swift code of the article TestingWithTheEmbeddedScheduler; ArticleTests holds the two together.
@Suite(.timeLimit(.minutes(60)))
struct `The tests of the article on testing` {
  @Test func `a silent export is expired and cleans up`() async throws {
    let clock = VirtualClock()
    let scheduler = BGTaskScheduler.embedded(clock: clock)
    let cleaned = AsyncStream<BGTask.StopReason>.makeStream()
    let running = AsyncStream<Void>.makeStream()
    scheduler.register(forTaskWithIdentifier: "io.example.notes.export.*", using: nil) { task in
      task.onExpiration { cleaned.continuation.yield($0) }
      running.continuation.yield()
    }
    try scheduler.submit(
      BGContinuedProcessingTaskRequest(
        identifier: "io.example.notes.export.trip", title: "Export", subtitle: ""))
    for await _ in running.stream { break }

    clock.advance(by: .seconds(121))

    for await reason in cleaned.stream {
      #expect(reason == .silent)
      break
    }
    let record = await scheduler.taskRecord(forTaskWithIdentifier: "io.example.notes.export.trip") {
      $0.state == .ended
    }
    #expect(record?.outcome == .expired)
  }

  @Test func `a vacuum waits for external power`() async throws {
    let scheduler = BGTaskScheduler.embedded(
      clock: VirtualClock(), resources: EmbeddedResources(hasExternalPower: false))
    scheduler.register(forTaskWithIdentifier: "io.example.notes.vacuum") { (_: BGProcessingTask) in
    }
    let request = BGProcessingTaskRequest(identifier: "io.example.notes.vacuum")
    request.requiresExternalPower = true
    try scheduler.submit(request)
    let reason = await scheduler.pendingReason(forTaskWithIdentifier: "io.example.notes.vacuum")
    #expect(reason?.code == "power")
    scheduler.changeResources(to: EmbeddedResources(hasExternalPower: true))
    let record = await scheduler.taskRecord(forTaskWithIdentifier: "io.example.notes.vacuum") {
      $0.state == .ended
    }
    #expect(record?.outcome == .succeeded)
  }

  @Test func `a refresh asks for its next turn`() async throws {
    let scheduler = BGTaskScheduler.embedded(clock: VirtualClock())
    let request = BGAppRefreshTaskRequest(identifier: "io.example.notes.refresh")
    request.earliestBeginDate = .distantFuture
    scheduler.register(forTaskWithIdentifier: request.identifier, using: nil) { task in
      let next = BGAppRefreshTaskRequest(identifier: task.identifier)
      next.earliestBeginDate = .distantFuture
      task.setTaskCompleted(success: (try? BGTaskScheduler.shared.submit(next)) != nil)
    }
    try scheduler.submit(request)

    try scheduler.simulateLaunch(forTaskWithIdentifier: request.identifier)

    let records = await scheduler.taskRecords { $0.first?.state == .ended }
    #expect(records.map(\.outcome) == [.succeeded, nil])
    #expect(await scheduler.pendingTaskRequests().count == 1)
  }
}
