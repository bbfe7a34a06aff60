import BackgroundTasks
import Foundation
import Testing

@Suite(.timeLimit(.minutes(60)))
struct `The samples of the sessions do what the sessions say` {
  private let clock = VirtualClock()
  private let scheduler: BGTaskScheduler

  init() {
    scheduler = BGTaskScheduler.embedded(clock: clock)
  }

  /// A second more, as fractions of one are lost in dates.
  private func advance(to date: Date) {
    clock.advance(by: .seconds(date.timeIntervalSince(clock.date).rounded(.up) + 1))
  }

  private func end(of identifier: String) async throws -> BGTaskRecord {
    try #require(
      await scheduler.taskRecord(forTaskWithIdentifier: identifier) { $0.state == .ended })
  }

  @Test func `WWDC25: the continued task goes on until it is expired`() async throws {
    let identifier = "com.colorfeed.wwdc25.userTask"
    scheduler.asShared {
      WWDC25.handleDialogConfirmation()
      WWDC25.submitContinuedProcessingTaskRequest()
    }
    let running = try #require(await scheduler.taskRecord(forTaskWithIdentifier: identifier))
    #expect(running.state == .running)
    #expect(running.title == "A succinct title")
    #expect(running.subtitle == "A useful and informative subtitle")
    try scheduler.simulateExpiration(forTaskWithIdentifier: identifier)
    let record = try await end(of: identifier)
    // The sample reports success after its expiry; success counts where all the work was done.
    #expect(record.outcome == .succeeded || record.outcome == .expired)
    #expect(record.stopReason == .silent || record.outcome == .succeeded)
  }

  @Test func `WWDC25: with the strategy fail a second one is refused`() async throws {
    let crowded = BGTaskScheduler.embedded(clock: clock, resources: EmbeddedResources(slots: 1))
    crowded.register(forTaskWithIdentifier: "com.colorfeed.*") { task in
      for await _ in AsyncStream<Void>.makeStream().stream {}
    }
    let first = BGContinuedProcessingTaskRequest(
      identifier: "com.colorfeed.first", title: "", subtitle: "")
    try crowded.submit(first)
    let second = BGContinuedProcessingTaskRequest(
      identifier: "com.colorfeed.second", title: "", subtitle: "")
    second.strategy = .fail
    // The function behind the sample's `!`.
    let submit: (BGTaskRequest) -> Void? = crowded.submit
    #expect(submit(second) == nil)
    #expect(throws: BGTaskScheduler.Error.self) { try crowded.submit(second) }
  }

  @Test @MainActor func `WWDC25: a delegate on the main actor is called there`() async throws {
    let delegate = WWDC25.AppDelegate()
    scheduler.asShared {
      #expect(delegate.application(UIApplication(), didFinishLaunchingWithOptions: nil))
      delegate.submitProcessingTaskRequest()
    }
    let task = try await delegate.handled.value
    #expect(task.identifier == "com.example.apple-samplecode.ColorFeed.db_cleaning")
    #expect(try await end(of: task.identifier).outcome == .succeeded)
  }

  @Test @MainActor func `WWDC25: the background task of the sample is as unused as printed`() {
    scheduler.asShared {
      let delegate = WWDC25.SavingDelegate()
      delegate.handlePersistence()
      #expect(delegate.backgroundTaskID == .invalid)
    }
  }

  @Test func `WWDC25: the declared refresh runs and is complete with its return`() async throws {
    let identifier = "com.colorfeed.wwdc25.appRefresh"
    await WWDC25.ColorFeed().body.register(in: scheduler)
    try scheduler.submit(BGAppRefreshTaskRequest(identifier: identifier))
    #expect(try await WWDC25.ColorFeed.refreshes.value)
    #expect(try await end(of: identifier).outcome == .succeeded)
  }

  @Test func `WWDC19: the registered refresh is launched`() async throws {
    let sample = WWDC19()
    scheduler.asShared {
      sample.register()
      sample.scheduleAppRefresh()
    }
    #expect(try await sample.refreshed.value)
    #expect(try await end(of: "com.colorfeed.refresh").outcome == .succeeded)
  }

  @Test func `WWDC22: the refresh waits for noon of the next day and submits itself again`()
    async throws
  {
    await WWDC22.StormyApp().body.register(in: scheduler)
    scheduler.asShared { WWDC22.scheduleAppRefresh() }
    let pending = try #require(await scheduler.pendingTaskRequests().first)
    let noon = try #require(pending.earliestBeginDate)
    #expect(Calendar.current.component(.hour, from: noon) == 12)
    advance(to: noon)
    #expect(try await WWDC22.notified.value)
    let again = await scheduler.taskRecord(forTaskWithIdentifier: "StormyNoon") {
      $0.number > 1
    }
    #expect(again?.attempt == 1)
  }

  @Test func `the article's refresh begins a day later`() async throws {
    await MyAppRefresh.MyApp().body.register(in: scheduler)
    scheduler.asShared { MyAppRefresh.scheduleAppRefresh() }
    clock.advance(by: .seconds(86_000))
    let pending = try #require(await scheduler.pendingTaskRequests().first)
    let date = try #require(pending.earliestBeginDate)
    advance(to: date)
    #expect(try await end(of: "myapprefresh").outcome == .succeeded)
  }
}
