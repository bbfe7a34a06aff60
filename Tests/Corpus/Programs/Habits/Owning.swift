import BackgroundTasks

// The owner of the handlers: an actor, a table of closures, a protocol of runners, a class with a method.

private let base = "org.example.corpus"

private actor FeedStore {
  static let shared = FeedStore()
  private var articles: [String] = []

  func refresh(_ task: BGAppRefreshTask) async {
    articles = await withTaskGroup(of: String.self) { group in
      for feed in ["a", "b", "c"] { group.addTask { "article of \(feed)" } }
      var found: [String] = []
      for await article in group { found.append(article) }
      return found.sorted()
    }
    for article in articles { Diary.note(article) }
    task.setTaskCompleted(success: !Task.isCancelled)
  }
}

private func registerStore() {
  BGTaskScheduler.shared.register(
    forTaskWithIdentifier: "\(base).actor.refresh", using: DispatchQueue.global(qos: .background)
  ) { task in
    guard let task = task as? BGAppRefreshTask else { return task.setTaskCompleted(success: false) }
    let work = Task.detached(priority: .background) { await FeedStore.shared.refresh(task) }
    task.expirationHandler = { work.cancel() }
  }
}

/// Handlers that are not marked as Sendable.
private final class Registry {
  private var handlers: [String: (BGTask) -> Void] = [:]
  private(set) var count = 0

  func add(_ name: String, _ handler: @escaping (BGTask) -> Void) {
    handlers["\(base).table.\(name)"] = handler
  }

  func registerAll() {
    for (identifier, handler) in handlers {
      let isRegistered = BGTaskScheduler.shared.register(
        forTaskWithIdentifier: identifier, using: nil, launchHandler: handler)
      if isRegistered { count += 1 }
    }
  }
}

/// A job with its own name and schedule.
protocol ChoreRunner: Sendable {
  static var taskIdentifier: String { get }
  static var requiresNetwork: Bool { get }
  init()
  func isDue() -> Bool
  func run() async throws
}

extension ChoreRunner {
  static func registerChore() {
    BGTaskScheduler.shared.register(forTaskWithIdentifier: taskIdentifier, using: nil) { task in
      let work = Task {
        do {
          try await Self().run()
          task.setTaskCompleted(success: true)
        } catch {
          Diary.note("failed: \(error)")
          task.setTaskCompleted(success: false)
        }
      }
      task.expirationHandler = { work.cancel() }
    }
  }

  static func scheduleIfDue() throws {
    guard Self().isDue() else { return }
    let request = BGProcessingTaskRequest(identifier: taskIdentifier)
    request.requiresNetworkConnectivity = requiresNetwork
    try BGTaskScheduler.shared.submit(request)
  }
}

struct AttachmentSweeper: ChoreRunner {
  static let taskIdentifier = "org.example.corpus.runner.sweep"
  static let requiresNetwork = false
  func isDue() -> Bool { true }
  func run() async throws { Diary.note("swept") }
}

struct MessageFetcher: ChoreRunner {
  struct NoAccount: Error {}
  static let taskIdentifier = "org.example.corpus.runner.fetch"
  static let requiresNetwork = false
  func isDue() -> Bool { true }
  func run() async throws { throw NoAccount() }
}

private final class Coordinator: UIResponder, UIApplicationDelegate {
  static let shared = Coordinator()
  private var handled = 0

  func register() {
    BGTaskScheduler.shared.register(
      forTaskWithIdentifier: "\(base).method.tidy", using: .main, launchHandler: handle)
  }

  private func handle(task: BGTask) {
    MainActor.assertIsolated()
    handled += 1
    Diary.note("tidied \(handled)")
    task.setTaskCompleted(success: true)
  }
}

extension Habit {
  static let owning = [
    Habit(
      name: "actor", launch: { registerStore() },
      use: { stage in
        try BGTaskScheduler.shared.submit(
          BGAppRefreshTaskRequest(identifier: "\(base).actor.refresh"))
        let ended = await stage.ends(of: "\(base).actor.refresh")
        stage.expectEqual(ended.map(\.outcome), [.succeeded], "outcome")
        stage.expectEqual(Diary.lines, ["a", "b", "c"].map { "article of \($0)" }, "diary")
      }),
    Habit(
      name: "table",
      launch: {
        let registry = Registry()
        for name in ["sync", "prune"] {
          registry.add(name) { task in
            Diary.note(name)
            task.setTaskCompleted(success: true)
          }
        }
        registry.registerAll()
        registry.registerAll()
        if registry.count != 2 { Diary.note("registered \(registry.count)") }
      },
      use: { stage in
        for name in ["sync", "prune"] {
          try BGTaskScheduler.shared.submit(
            BGProcessingTaskRequest(identifier: "\(base).table.\(name)"))
          let ended = await stage.ends(of: "\(base).table.\(name)")
          stage.expectEqual(ended.map(\.outcome), [.succeeded], name)
        }
        stage.expectEqual(Diary.lines, ["sync", "prune"], "diary")
      }),
    Habit(
      name: "runner",
      launch: {
        let runners: [any ChoreRunner.Type] = [AttachmentSweeper.self, MessageFetcher.self]
        for runner in runners { runner.registerChore() }
      },
      use: { stage in
        try AttachmentSweeper.scheduleIfDue()
        let swept = await stage.ends(of: AttachmentSweeper.taskIdentifier)
        try MessageFetcher.scheduleIfDue()
        let fetched = await stage.ends(of: MessageFetcher.taskIdentifier)
        stage.expectEqual((swept + fetched).map(\.outcome), [.succeeded, .failed], "outcomes")
        stage.expectEqual(Diary.lines, ["swept", "failed: NoAccount()"], "diary")
      }),
    Habit(
      name: "method", launch: { Coordinator.shared.register() },
      use: { stage in
        try BGTaskScheduler.shared.submit(
          BGAppRefreshTaskRequest(identifier: "\(base).method.tidy"))
        let ended = await stage.ends(of: "\(base).method.tidy")
        stage.expectEqual(ended.map(\.outcome), [.succeeded], "outcome")
        stage.expectEqual(Diary.lines, ["tidied 1"], "diary")
      }),
  ]
}
