import BackgroundTasks
import Foundation
import Testing

@Suite(.timeLimit(.minutes(60)))
struct `Scheduled tasks of an embedded scheduler` {
  private static let vacuum = "io.example.vacuum"
  private static let refresh = "io.example.refresh"

  private let clock = VirtualClock(date: Date(timeIntervalSince1970: 1_800_000_000))
  private let scheduler: BGTaskScheduler

  init() {
    scheduler = BGTaskScheduler.embedded(clock: clock)
    scheduler.register(forTaskWithIdentifier: Self.vacuum) { (_: BGProcessingTask) in
      for await _ in AsyncStream<Void>.makeStream().stream {}
    }
    scheduler.register(forTaskWithIdentifier: Self.refresh) { (_: BGAppRefreshTask) in
      for await _ in AsyncStream<Void>.makeStream().stream {}
    }
  }

  private func state(of identifier: String) async -> BGTaskRecord.State? {
    await scheduler.taskRecord(forTaskWithIdentifier: identifier)?.state
  }

  private func end(of identifier: String) async throws -> BGTaskRecord {
    try #require(
      await scheduler.taskRecord(forTaskWithIdentifier: identifier) { $0.state == .ended })
  }

  @Test func `a request begins at its date and not before`() async throws {
    let request = BGAppRefreshTaskRequest(identifier: Self.refresh)
    request.earliestBeginDate = clock.date.addingTimeInterval(3600)
    try scheduler.submit(request)
    #expect(
      await scheduler.pendingReason(forTaskWithIdentifier: Self.refresh)?.code == "notBefore")
    clock.advance(by: .seconds(3599))
    #expect(await state(of: Self.refresh) == .queued)
    clock.advance(by: .seconds(1))
    #expect(await state(of: Self.refresh) == .running)
  }

  @Test func `a refresh has thirty seconds, processing has minutes`() async throws {
    try scheduler.submit(BGAppRefreshTaskRequest(identifier: Self.refresh))
    try scheduler.submit(BGProcessingTaskRequest(identifier: Self.vacuum))
    clock.advance(by: .seconds(30))
    let refreshed = try await end(of: Self.refresh)
    #expect(refreshed.outcome == .expired)
    #expect(refreshed.stopReason == .limit)
    #expect(await state(of: Self.vacuum) == .running)
    clock.advance(by: .seconds(570))
    #expect(try await end(of: Self.vacuum).stopReason == .limit)
  }

  @Test func `a processing task waits for power and is stopped when that is lost`() async throws {
    scheduler.changeResources(to: EmbeddedResources(hasExternalPower: false))
    let request = BGProcessingTaskRequest(identifier: Self.vacuum)
    request.requiresExternalPower = true
    try scheduler.submit(request)
    #expect(await scheduler.pendingReason(forTaskWithIdentifier: Self.vacuum)?.code == "power")
    clock.advance(by: .seconds(3600))
    #expect(await state(of: Self.vacuum) == .queued)
    scheduler.changeResources(to: EmbeddedResources())
    #expect(await state(of: Self.vacuum) == .running)
    scheduler.changeResources(to: EmbeddedResources(hasExternalPower: false))
    clock.advance(by: .seconds(10))
    let record = try await end(of: Self.vacuum)
    #expect(record.outcome == .expired)
    #expect(record.stopReason == .requirementLost)
  }

  @Test func `one refresh and ten processing requests may wait`() throws {
    let later = clock.date.addingTimeInterval(3600)
    scheduler.register(forTaskWithIdentifier: "io.example.many.*", using: nil) { _ in }
    func request(_ number: Int) -> BGProcessingTaskRequest {
      let request = BGProcessingTaskRequest(identifier: "io.example.many.n\(number)")
      request.earliestBeginDate = later
      return request
    }
    for number in 1...10 { try scheduler.submit(request(number)) }
    #expect { try scheduler.submit(request(11)) } throws: { error in
      (error as? BGTaskScheduler.Error)?.code == .tooManyPendingTaskRequests
    }
    try scheduler.submit(request(10))
    let first = BGAppRefreshTaskRequest(identifier: Self.refresh)
    first.earliestBeginDate = later
    try scheduler.submit(first)
    let second = BGAppRefreshTaskRequest(identifier: "io.example.many.refresh")
    second.earliestBeginDate = later
    #expect { try scheduler.submit(second) } throws: { error in
      (error as? BGTaskScheduler.Error)?.code == .tooManyPendingTaskRequests
    }
  }

  @Test func `a launch can be simulated long before its date`() async throws {
    let request = BGAppRefreshTaskRequest(identifier: Self.refresh)
    request.earliestBeginDate = clock.date.addingTimeInterval(86_400)
    try scheduler.submit(request)
    try scheduler.simulateLaunch(forTaskWithIdentifier: Self.refresh)
    #expect(await state(of: Self.refresh) == .running)
    #expect(throws: BGTaskScheduler.Error.self) {
      try scheduler.simulateLaunch(forTaskWithIdentifier: Self.vacuum)
    }
  }

  @Test func `a handler of another kind fails its task with a sentence`() async throws {
    try scheduler.submit(BGProcessingTaskRequest(identifier: Self.refresh))
    let record = try await end(of: Self.refresh)
    #expect(record.outcome == .failed)
    #expect(record.message?.contains("registered for BGAppRefreshTask") == true)
  }

  @Test func `pending requests keep what they ask for`() async throws {
    let request = BGProcessingTaskRequest(identifier: Self.vacuum)
    request.requiresNetworkConnectivity = true
    request.earliestBeginDate = clock.date.addingTimeInterval(60)
    try scheduler.submit(request)
    let pending = await scheduler.pendingTaskRequests()
    let only = try #require(pending.first as? BGProcessingTaskRequest)
    #expect(pending.count == 1)
    #expect(only.requiresNetworkConnectivity && !only.requiresExternalPower)
    #expect(only.earliestBeginDate == request.earliestBeginDate)
  }
}
