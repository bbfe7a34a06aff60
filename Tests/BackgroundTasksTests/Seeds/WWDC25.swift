// swift-format-ignore-file
import BackgroundTasks
import Foundation
import Synchronization
import Testing

// The code samples of WWDC25 session 227, as published.
enum WWDC25 {
  struct ColorFeed: App {
    var body: some Scene {
      WindowGroup {
        // ...
      }
      .backgroundTask(.appRefresh("com.colorfeed.wwdc25.appRefresh")) {
        await self.handleAppRefreshTask()
      }
    }

    func handleAppRefreshTask() async { Self.refreshes.set(BGTask.current is BGAppRefreshTask) }

    static let refreshes = Awaited<Bool>()
  }

  class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
      _ application: UIApplication,
      didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
      BGTaskScheduler.shared.register(
        forTaskWithIdentifier: "com.example.apple-samplecode.ColorFeed.db_cleaning",
        using: nil
      ) { task in
        self.handleAppRefresh(task: task as! BGProcessingTask)
      }
    }

    func submitProcessingTaskRequest() {
      let request = BGProcessingTaskRequest(
        identifier: "com.example.apple-samplecode.ColorFeed.db_cleaning"
      )
      request.requiresNetworkConnectivity = true
      request.requiresExternalPower = true

      BGTaskScheduler.shared.submit(request)!
    }

    let handled = Awaited<BGProcessingTask>()

    func handleAppRefresh(task: BGProcessingTask) {
      dispatchPrecondition(condition: .onQueue(.main))
      handled.set(task)
      task.setTaskCompleted(success: true)
    }
  }

  class SavingDelegate: UIResponder, UIApplicationDelegate {
    var backgroundTaskID: UIBackgroundTaskIdentifier = .invalid

    func saveState() { /*  ... */  }

    func handlePersistence() {
      let app = UIApplication.shared
      guard backgroundTaskID != .invalid else { return }
      backgroundTaskID = app.beginBackgroundTask(withName: "Finish Export") {
        app.endBackgroundTask(self.backgroundTaskID)
        self.backgroundTaskID = .invalid
      }

      self.saveState()

      app.endBackgroundTask(backgroundTaskID)
      backgroundTaskID = .invalid
    }
  }

  static func handleDialogConfirmation() {
    BGTaskScheduler.shared.register("com.colorfeed.wwdc25.userTask") { task in
      let task = task as! BGContinuedProcessingTask

      var shouldContinue = true
      task.expirationHandler = {
        shouldContinue = false
      }
      task.progress.totalUnitCount = 100
      task.progress.completedUnitCount = 0

      while shouldContinue {
        // Do some work
        task.progress.completedUnitCount += 1
      }
      task.setTaskCompleted(success: true)
    }
  }

  static func submitContinuedProcessingTaskRequest() {
    let request = BGContinuedProcessingTaskRequest(
      identifier: "com.colorfeed.wwdc25.userTask",
      title: "A succinct title",
      subtitle: "A useful and informative subtitle"
    )

    request.strategy = .fail

    BGTaskScheduler.shared.submit(request)!
  }
}
