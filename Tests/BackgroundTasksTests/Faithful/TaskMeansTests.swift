import BackgroundTasks
import Foundation
import TestKit
import Testing

@Suite(.timeLimit(.minutes(60)))
struct `What a task has` {
  @Test func `a launched one knows its attempt and its folder`() throws {
    let job = try HostedJob()
    job.scheduler.register(forTaskWithIdentifier: HostedJob.identifier, using: nil) { _ in }
    let task = try job.launch()
    #expect(task.attempt == 2)
    #expect(task.stateDirectory != nil)
    #expect(task.gpus == [])
  }

  @Test func `an embedded one knows its GPU, too`() async throws {
    let scheduler = BGTaskScheduler.embedded(
      clock: VirtualClock(), resources: EmbeddedResources(gpus: 1))
    let seen = Awaited<BGTask>()
    scheduler.register(forTaskWithIdentifier: "io.example.render", using: nil) { seen.set($0) }
    let request = BGContinuedProcessingTaskRequest(
      identifier: "io.example.render", title: "Render", subtitle: "")
    request.requiredResources = .gpu
    try scheduler.submit(request)
    let task = try await seen.value
    #expect(task.gpus == ["GPU-embedded-0"])
    #expect(task.attempt == 1)
    let folder = try #require(task.stateDirectory)
    #expect(FileManager.default.fileExists(atPath: folder.path))
    task.setTaskCompleted(success: true)
    try? FileManager.default.removeItem(at: folder.deletingLastPathComponent())
  }
}

@Suite(.timeLimit(.minutes(60)))
struct `Words that an app gives` {
  private func shown(_ title: String, _ subtitle: String = "") async throws -> BGTaskRecord {
    let scheduler = BGTaskScheduler.embedded(clock: VirtualClock())
    scheduler.register(forTaskWithIdentifier: "io.example.*", using: nil) { _ in }
    try scheduler.submit(
      BGContinuedProcessingTaskRequest(
        identifier: "io.example.export", title: title, subtitle: subtitle))
    return try #require(await scheduler.taskRecord(forTaskWithIdentifier: "io.example.export"))
  }

  @Test func `are made fit to be shown`() async throws {
    #expect(try await shown("Trip\nto \u{1B}[31mMars\u{202E}").title == "Trip to [31mMars")
    #expect(try await shown("A", "1\r\n2").subtitle == "1 2")
    let long = try await shown(String(repeating: "é", count: 300))
    #expect(long.title == String(repeating: "é", count: 126))
  }

  @Test(arguments: ["", " \n "])
  func `without a title there is a name`(title: String) async throws {
    #expect(try await shown(title).title == "export")
  }
}

@Suite(.timeLimit(.minutes(60)))
struct `Several handlers that are declared for one identifier` {
  @Test func `all run, and the task is over with the last of them`() async throws {
    let scheduler = BGTaskScheduler.embedded(clock: VirtualClock())
    let (first, second) = (Awaited<String>(), Awaited<String>())
    Background()
      .backgroundTask(.appRefresh("io.example.look")) { first.set("first") }
      .backgroundTask(.appRefresh("io.example.look")) { second.set("second") }
      .register(in: scheduler)
    try scheduler.submit(BGAppRefreshTaskRequest(identifier: "io.example.look"))
    #expect(try await first.value == "first")
    #expect(try await second.value == "second")
    let record = await scheduler.taskRecord(forTaskWithIdentifier: "io.example.look") {
      $0.state == .ended
    }
    #expect(record?.outcome == .succeeded)
  }
}

/// An app with an `Info.plist`, and a runner that is never asked: errors are found before.
@Suite(.timeLimit(.minutes(60)))
struct `What an app may register and ask for` {
  private let sandbox: Sandbox
  private let scheduler: BGTaskScheduler

  init() throws {
    sandbox = try Sandbox()
    try sandbox.write(
      """
      <plist version="1.0"><dict>
      <key>CFBundleIdentifier</key><string>org.example.app</string>
      <key>BGTaskSchedulerPermittedIdentifiers</key><array><string>com.example.other</string></array>
      <key>UIBackgroundModes</key><array><string>fetch</string><string>processing</string></array>
      </dict></plist>
      """, to: "app/Info.plist")
    scheduler = BGTaskScheduler(
      environment: ["JOBRUN_BUNDLE": sandbox.path("app"), "HOME": sandbox.work])
  }

  private func code(_ request: BGTaskRequest) -> BGTaskScheduler.Error.Code? {
    do {
      try scheduler.submit(request)
      return nil
    } catch {
      return (error as? BGTaskScheduler.Error)?.code
    }
  }

  @Test func `another bundle's identifier is not registered`() {
    #expect(!scheduler.register(forTaskWithIdentifier: "org.strangers.look", using: nil) { _ in })
    #expect(scheduler.register(forTaskWithIdentifier: "org.example.app.look", using: nil) { _ in })
    #expect(scheduler.register(forTaskWithIdentifier: "com.example.other", using: nil) { _ in })
  }

  @Test func `a request without a handler is refused`() {
    #expect(code(BGAppRefreshTaskRequest(identifier: "org.example.app.look")) == .notPermitted)
    #expect(code(BGProcessingTaskRequest(identifier: "org.example.app.tidy")) == .notPermitted)
  }

  @Test func `a GPU that the bundle may not use is unavailable`() {
    scheduler.register(forTaskWithIdentifier: "org.example.app.render", using: nil) { _ in }
    let request = BGContinuedProcessingTaskRequest(
      identifier: "org.example.app.render", title: "Render", subtitle: "")
    request.requiredResources = .gpu
    #expect(code(request) == .unavailable)
  }
}

@Suite struct `What is there and does nothing` {
  @Test @MainActor func `compiles and has the values that are documented`() {
    #expect(!ProcessInfo.processInfo.isLowPowerModeEnabled)
    #expect(ProcessInfo.processInfo.thermalState == .nominal)
    let queue: dispatch_queue_t = DispatchQueue(label: "old")
    #expect(queue.label == "old")
    _ = WindowGroup("Photos", id: "main") { "nothing" }
    _ = WindowGroup(id: "second") { "nothing" }
    #expect(UIApplication.backgroundFetchIntervalMinimum == 0)
  }
}
