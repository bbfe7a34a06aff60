import BackgroundTasks
import Foundation
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(60)))
struct `Finishing what must be finished` {
  private static let identifier = "io.example.export.trip"

  private let clock = VirtualClock()
  private let scheduler: BGTaskScheduler

  init() {
    scheduler = BGTaskScheduler.embedded(clock: clock)
  }

  /// Launches a task whose handler does `body` and leaves the rest to its expiry.
  private func launch(_ body: @escaping @Sendable (BGTask) -> Void) async throws -> BGTask {
    let launched = Awaited<BGTask>()
    scheduler.register(forTaskWithIdentifier: Self.identifier, using: nil) { task in
      body(task)
      launched.set(task)
    }
    try scheduler.submit(
      BGContinuedProcessingTaskRequest(
        identifier: Self.identifier, title: "Export", subtitle: ""))
    return try await launched.value
  }

  private func record(
    when condition: @escaping @Sendable (BGTaskRecord) -> Bool = { _ in true }
  ) async throws -> BGTaskRecord {
    try #require(
      await scheduler.taskRecord(forTaskWithIdentifier: Self.identifier, when: condition))
  }

  @Test func `a stopped task ends only after what it began`() async throws {
    let begun = Awaited<UIBackgroundTaskIdentifier>()
    let task = try await launch { [scheduler] _ in
      begun.set(scheduler.beginBackgroundTask(withName: "Finish Export"))
    }
    let hold = try await begun.value
    #expect(hold != .invalid)
    task.cancel()
    #expect(try await record().state == .stopping)
    scheduler.endBackgroundTask(hold)
    #expect(try await record().outcome == .cancelled)
  }

  @Test func `what was begun is told half of a short grace before its end`() async throws {
    let told = Awaited<Duration?>()
    let task = try await launch { [scheduler] task in
      _ = scheduler.beginBackgroundTask(withName: "Finish Export") { told.set(task.timeRemaining) }
    }
    task.cancel()
    clock.advance(by: .milliseconds(4_999))
    #expect(task.timeRemaining == .milliseconds(5_001))
    clock.advance(by: .milliseconds(1))
    #expect(try await told.value == .seconds(5))
  }

  @Test func `what is never ended holds up the end until its limit`() async throws {
    let task = try await launch { [scheduler] task in
      _ = scheduler.beginBackgroundTask(withName: "Finish Export")
      task.setTaskCompleted(success: true)
    }
    #expect(try await record().state == .running)
    #expect(task.stopReason == nil)
    clock.advance(by: .seconds(29))
    #expect(try await record().state == .running)
    clock.advance(by: .seconds(1))
    #expect(try await record().outcome == .succeeded)
  }

  @Test func `another task's work holds up nothing`() async throws {
    scheduler.register(forTaskWithIdentifier: "io.example.other") { [scheduler] _ in
      _ = scheduler.beginBackgroundTask(withName: "Other")
    }
    try scheduler.submit(
      BGContinuedProcessingTaskRequest(identifier: "io.example.other", title: "", subtitle: ""))
    _ = await scheduler.taskRecord(forTaskWithIdentifier: "io.example.other") {
      $0.state == .running
    }
    _ = try await launch { task in task.setTaskCompleted(success: true) }
    #expect(try await record { $0.state == .ended }.outcome == .succeeded)
  }

  @Test func `time that is left is no limit before a stop`() async throws {
    let seen = Awaited<[TimeInterval]>()
    let task = try await launch { [scheduler] task in
      let before = scheduler.backgroundTimeRemaining
      task.expirationHandler = {
        seen.set([before, scheduler.backgroundTimeRemaining])
        task.setTaskCompleted(success: false)
      }
    }
    task.cancel()
    #expect(try await seen.value == [.greatestFiniteMagnitude, 10])
  }

  @Test func `an activity is told that it expires while it goes on`() async throws {
    let calls = Mutex<[Bool]>([])
    let expired = Awaited<Bool>()
    let begun = Awaited<Bool>()
    let task = try await launch { _ in
      ProcessInfo.processInfo.performExpiringActivity(withReason: "save") { isExpired in
        calls.withLock { $0.append(isExpired) }
        if isExpired { return expired.set(true) }
        let released = DispatchSemaphore(value: 0)
        begun.set(true)
        Task {
          _ = try? await expired.value
          released.signal()
        }
        released.wait()
      }
    }
    #expect(try await begun.value)
    task.cancel()
    clock.advance(by: .seconds(5))
    #expect(try await record { $0.state == .ended }.outcome == .cancelled)
    #expect(calls.withLock(\.self) == [false, true])
  }

  @Test func `clean-up is awaited and knows why`() async throws {
    let cleaned = Awaited<BGTask.StopReason>()
    let mayEnd = Awaited<Bool>()
    let task = try await launch { task in
      task.onExpiration { reason in
        cleaned.set(reason)
        #expect((try? await mayEnd.value) == true)
        #expect(!Task.isCancelled)
      }
    }
    task.cancel()
    #expect(try await cleaned.value == .user)
    #expect(try await record().state == .stopping)
    mayEnd.set(true)
    #expect(try await record { $0.state == .ended }.outcome == .cancelled)
  }

  @Test func `a task that does not end has expired after its grace and keeps its slot`()
    async throws
  {
    let single = BGTaskScheduler.embedded(clock: clock, resources: EmbeddedResources(slots: 1))
    let launched = Awaited<BGTask>()
    single.register(forTaskWithIdentifier: "io.example.*", using: nil) { task in
      task.expirationHandler = {}
      launched.set(task)
    }
    func request(_ name: String) -> BGContinuedProcessingTaskRequest {
      BGContinuedProcessingTaskRequest(
        identifier: "io.example.\(name)", title: name, subtitle: "")
    }
    try single.submit(request("deaf"))
    let deaf = try await launched.value
    try single.submit(request("next"))
    try single.simulateExpiration(forTaskWithIdentifier: "io.example.deaf")
    clock.advance(by: .seconds(10))
    #expect(await single.taskRecord(forTaskWithIdentifier: "io.example.deaf")?.outcome == .expired)
    #expect(await single.taskRecord(forTaskWithIdentifier: "io.example.next")?.state == .queued)
    deaf.setTaskCompleted(success: false)
    #expect(await single.taskRecord(forTaskWithIdentifier: "io.example.next")?.state == .running)
  }
}
