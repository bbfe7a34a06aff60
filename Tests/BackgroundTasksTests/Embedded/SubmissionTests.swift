import BackgroundTasks
import Foundation
import Testing

@Suite(.timeLimit(.minutes(60)))
struct `Submitting to an embedded scheduler` {
  private let clock = VirtualClock()

  private func request(
    _ identifier: String, _ strategy: BGContinuedProcessingTaskRequest.SubmissionStrategy = .queue
  ) -> BGContinuedProcessingTaskRequest {
    let request = BGContinuedProcessingTaskRequest(
      identifier: identifier, title: identifier, subtitle: "")
    request.strategy = strategy
    return request
  }

  /// A scheduler whose tasks obey a stop; `running` gets them.
  private func scheduler(
    _ resources: EmbeddedResources = EmbeddedResources(slots: 1),
    running: Awaited<BGTask> = Awaited()
  ) -> BGTaskScheduler {
    let scheduler = BGTaskScheduler.embedded(clock: clock, resources: resources)
    scheduler.register(forTaskWithIdentifier: "io.example.*") { task in
      running.set(task)
      for await _ in AsyncStream<Void>.makeStream().stream {}
    }
    return scheduler
  }

  private func code(_ body: () throws -> Void) -> BGTaskScheduler.Error.Code? {
    do {
      try body()
      return nil
    } catch let error as BGTaskScheduler.Error {
      return error.message.isEmpty ? nil : error.code
    } catch {
      return nil
    }
  }

  @Test func `the second task waits for the slot and says so`() async throws {
    let running = Awaited<BGTask>()
    let scheduler = scheduler(running: running)
    try scheduler.submit(request("io.example.a"))
    try scheduler.submit(request("io.example.b"))
    let record = await scheduler.taskRecord(forTaskWithIdentifier: "io.example.b")
    #expect(record?.state == .queued)
    #expect(record?.position == 1)
    let reason = await scheduler.pendingReason(forTaskWithIdentifier: "io.example.b")
    #expect(reason?.code == "slots")
    #expect(reason?.message.contains("job 1") == true)
    #expect(await scheduler.pendingTaskRequests().map(\.identifier) == ["io.example.b"])
    try await running.value.cancel()
    let moved = await scheduler.taskRecord(forTaskWithIdentifier: "io.example.b") {
      $0.state == .running
    }
    #expect(moved?.state == .running)
  }

  @Test func `what must start now or never is refused without a slot`() throws {
    let scheduler = scheduler()
    try scheduler.submit(request("io.example.a", .fail))
    #expect(
      code { try scheduler.submit(request("io.example.b", .fail)) } == .immediateRunIneligible)
  }

  @Test func `what is submitted while it runs waits for that, one that waits is replaced`()
    async throws
  {
    let running = Awaited<BGTask>()
    let scheduler = scheduler(EmbeddedResources(slots: 4), running: running)
    for _ in 0..<3 { try scheduler.submit(request("io.example.a")) }
    let records = await scheduler.taskRecords()
    #expect(records.map(\.state) == [.running, .ended, .queued])
    #expect(records.map(\.stopReason) == [nil, .superseded, nil])
    #expect(records[2].pendingReason?.code == "after")
    #expect(
      code { try scheduler.submit(request("io.example.a", .fail)) } == .immediateRunIneligible)
    try await running.value.cancel()
    let next = await scheduler.taskRecord(forTaskWithIdentifier: "io.example.a") {
      $0.number == 3 && $0.state == .running
    }
    #expect(next?.number == 3)
  }

  @Test func `withdrawing the request of a running task leaves it alone`() async throws {
    let scheduler = scheduler()
    try scheduler.submit(request("io.example.a"))
    scheduler.cancel(taskRequestWithIdentifier: "io.example.a")
    #expect(await scheduler.taskRecords().map(\.state) == [.running])
    try scheduler.submit(request("io.example.a"))
    scheduler.cancel(taskRequestWithIdentifier: "io.example.a")
    #expect(await scheduler.taskRecords().map(\.state) == [.running, .ended])
  }

  @Test func `success is success at whatever fraction, though the code cancels its own progress`()
    async throws
  {
    let scheduler = BGTaskScheduler.embedded(clock: clock)
    scheduler.register(forTaskWithIdentifier: "io.example.a", using: nil) { task in
      task.progress.totalUnitCount = 10
      task.progress.completedUnitCount = 4
      task.progress.cancel()
      task.setTaskCompleted(success: true)
    }
    try scheduler.submit(request("io.example.a"))
    let record = await scheduler.taskRecord(forTaskWithIdentifier: "io.example.a") {
      $0.state == .ended
    }
    #expect(record?.outcome == .succeeded)
    #expect(record?.progress?.fraction == 0.4)
  }

  @Test(arguments: ["io.example", "com.example.a", "io..example", "io.example.*", ""])
  func `an identifier without a handler is refused with a sentence`(identifier: String) {
    let scheduler = scheduler()
    #expect(code { try scheduler.submit(request(identifier)) } == .notPermitted)
  }

  @Test func `a GPU is given to one task at a time, or refused where there is none`() async throws {
    let needy = request("io.example.gpu")
    needy.requiredResources = .gpu
    let poor = scheduler()
    #expect(poor.supportedResources == [])
    #expect(code { try poor.submit(needy) } == .unavailable)
    let rich = scheduler(EmbeddedResources(slots: 4, gpus: 1))
    #expect(rich.supportedResources == .gpu)
    try rich.submit(needy)
    let second = request("io.example.gpu2")
    second.requiredResources = .gpu
    let record = try await rich.submitTaskRequest(second)
    #expect(record?.pendingReason?.code == "gpu")
  }

  @Test func `the completion handler gets nil or the error`() async throws {
    let scheduler = scheduler()
    let answers = [Awaited<Bool>(), Awaited<Bool>()]
    scheduler.submitTaskRequest(request("io.example.a")) { answers[0].set($0 == nil) }
    scheduler.submitTaskRequest(request("com.example.a")) { error in
      answers[1].set((error as? BGTaskScheduler.Error)?.code == .notPermitted)
    }
    #expect(try await answers[0].value)
    #expect(try await answers[1].value)
  }

  @Test func `all that waits can be withdrawn, and what runs goes on`() async throws {
    let scheduler = scheduler()
    for name in ["a", "b", "c"] { try scheduler.submit(request("io.example.\(name)")) }
    let pending = Awaited<Int>()
    scheduler.getPendingTaskRequests { pending.set($0.count) }
    #expect(try await pending.value == 2)
    scheduler.cancelAllTaskRequests()
    #expect(await scheduler.pendingTaskRequests().isEmpty)
    let states = await scheduler.taskRecords().map(\.state)
    #expect(states == [.running, .ended, .ended])
  }

  @Test func `code that was written for the shared scheduler reaches the embedded one`()
    async throws
  {
    let scheduler = scheduler()
    try scheduler.asShared {
      try BGTaskScheduler.shared.submit(request("io.example.a"))
      #expect(BGTaskScheduler.shared === scheduler)
    }
    #expect(await scheduler.taskRecords().count == 1)
    #expect(BGTaskScheduler.shared !== scheduler)
  }

  @Test func `a handler finds its own task and scheduler`() async throws {
    let scheduler = BGTaskScheduler.embedded(clock: clock)
    let found = Awaited<Bool>()
    scheduler.register(forTaskWithIdentifier: "io.example.a", using: nil) { task in
      found.set(BGTask.current === task && BGTaskScheduler.shared === scheduler)
      task.setTaskCompleted(success: true)
    }
    try scheduler.submit(request("io.example.a"))
    #expect(try await found.value)
  }
}
