import BackgroundTasks

// The object that manages the scheduling: a singleton, a model on the main actor, an app's delegate.

final class SyncCenter: NSObject, @unchecked Sendable {
  static let shared = SyncCenter()
  static let refresh = "org.example.corpus.singleton.refresh"
  private let lock = NSLock()
  private var isSyncing = false

  func registerBackgroundTasks() {
    BGTaskScheduler.shared.register(forTaskWithIdentifier: Self.refresh, using: nil) {
      [weak self] task in
      guard let task = task as? BGAppRefreshTask else { return }
      self?.handle(task)
    }
  }

  private func handle(_ task: BGAppRefreshTask) {
    scheduleRefresh()
    lock.lock()
    isSyncing = true
    lock.unlock()
    Diary.note("synced")
    task.setTaskCompleted(success: true)
  }

  func scheduleRefresh() {
    let request = BGAppRefreshTaskRequest(identifier: Self.refresh)
    request.earliestBeginDate = Date(timeIntervalSinceNow: 15 * 60)
    do {
      try BGTaskScheduler.shared.submit(request)
    } catch {
      Diary.note("could not schedule: \(error)")
    }
  }

  func scheduleIfNeeded() async {
    let pending = await BGTaskScheduler.shared.pendingTaskRequests()
    guard !pending.contains(where: { $0.identifier == Self.refresh }) else { return }
    scheduleRefresh()
  }
}

@MainActor
final class ExportModel {
  static let shared = ExportModel()
  static let identifier = "org.example.corpus.model.export"
  var fraction = 0.0
  private var current: BGContinuedProcessingTask?

  func register() {
    BGTaskScheduler.shared.register(forTaskWithIdentifier: Self.identifier, using: .main) { task in
      MainActor.assumeIsolated {
        guard let task = task as? BGContinuedProcessingTask else { return }
        self.run(task)
      }
    }
  }

  private func run(_ task: BGContinuedProcessingTask) {
    current = task
    task.progress.totalUnitCount = 20
    Task {
      for _ in 0..<20 {
        task.progress.completedUnitCount += 1
        self.fraction = task.progress.fractionCompleted
        await Task.yield()
      }
      task.updateTitle("Exported", subtitle: "20 of 20")
      task.setTaskCompleted(success: true)
      self.current = nil
    }
  }

  func export() throws {
    let request = BGContinuedProcessingTaskRequest(
      identifier: Self.identifier, title: "Exporting", subtitle: "0 of 20")
    try BGTaskScheduler.shared.submit(request)
  }
}

enum Chore: String, CaseIterable {
  case clean, index, upload

  var identifier: String { "org.example.corpus.delegate.\(rawValue)" }
}

class ChoreDelegate: UIResponder, UIApplicationDelegate {
  static let instance = ChoreDelegate()

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    for chore in Chore.allCases {
      BGTaskScheduler.shared.register(forTaskWithIdentifier: chore.identifier, using: nil) {
        task in
        // swift-format-ignore: NeverForceUnwrap
        self.handle(task as! BGProcessingTask, chore)
      }
    }
    return true
  }

  func handle(_ task: BGProcessingTask, _ chore: Chore) {
    Diary.note("did \(chore.rawValue)")
    task.setTaskCompleted(success: chore != .index)
  }

  func applicationDidEnterBackground(_ application: UIApplication) {
    for chore in Chore.allCases {
      let request = BGProcessingTaskRequest(identifier: chore.identifier)
      request.requiresNetworkConnectivity = false
      request.earliestBeginDate = Date(timeIntervalSinceNow: 3600)
      try? BGTaskScheduler.shared.submit(request)
    }
  }
}

extension Habit {
  static let managing = [
    Habit(
      name: "singleton", launch: { SyncCenter.shared.registerBackgroundTasks() },
      use: { stage in
        await SyncCenter.shared.scheduleIfNeeded()
        await SyncCenter.shared.scheduleIfNeeded()
        stage.expectEqual(await stage.pending(), [SyncCenter.refresh], "pending")
        for turn in 1...3 {
          try stage.launch(SyncCenter.refresh)
          let ended = await stage.ends(of: SyncCenter.refresh, count: turn)
          stage.expectEqual(ended.map(\.outcome), [.succeeded].repeated(turn), "outcomes")
          stage.expectEqual(await stage.pending(), [SyncCenter.refresh], "pending after \(turn)")
        }
        stage.expectEqual(Diary.lines, ["synced"].repeated(3), "diary")
      }),
    Habit(
      name: "model", launch: { ExportModel.shared.register() },
      use: { stage in
        try ExportModel.shared.export()
        let ended = await stage.ends(of: ExportModel.identifier)
        stage.expectEqual(ended.first?.outcome, .succeeded, "outcome")
        stage.expectEqual(ended.first?.title, "Exported", "title")
        stage.expectEqual(ended.first?.progress?.fraction, 1, "fraction")
        stage.expectEqual(ExportModel.shared.fraction, 1, "what the view shows")
      }),
    Habit(
      name: "delegate",
      launch: {
        _ = ChoreDelegate.instance.application(.shared, didFinishLaunchingWithOptions: nil)
      },
      use: { stage in
        ChoreDelegate.instance.applicationDidEnterBackground(.shared)
        let identifiers = Chore.allCases.map(\.identifier)
        stage.expectEqual(await stage.pending(), identifiers, "pending")
        for identifier in identifiers { try stage.launch(identifier) }
        let clean = await stage.ends(of: identifiers[0])
        let index = await stage.ends(of: identifiers[1])
        let upload = await stage.ends(of: identifiers[2])
        stage.expectEqual(
          (clean + index + upload).map(\.outcome), [.succeeded, .failed, .succeeded], "outcomes")
        stage.expectEqual(Diary.lines.sorted(), ["did clean", "did index", "did upload"], "diary")
      }),
  ]
}

extension Array {
  func repeated(_ count: Int) -> [Element] { (0..<count).flatMap { _ in self } }
}
