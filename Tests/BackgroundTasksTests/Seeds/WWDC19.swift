// swift-format-ignore-file
import BackgroundTasks
import Foundation
import Testing

// The code samples of the notes on WWDC19 session 707, as published.
final class WWDC19: Sendable {
  let refreshed = Awaited<Bool>()

  func register() {
    BGTaskScheduler.shared.register(
      forTaskWithIdentifier: "com.colorfeed.refresh",
      using: nil
    ) { task in
      self.handleAppRefresh(task: task as! BGAppRefreshTask)
    }
  }

  func handleAppRefresh(task: BGAppRefreshTask) {
    refreshed.set(true)
    task.setTaskCompleted(success: true)
  }

  func scheduleAppRefresh() {
    let request = BGAppRefreshTaskRequest(identifier: "com.colorfeed.refresh")
    do {
      try BGTaskScheduler.shared.submit(request)
    } catch {
      Issue.record("Could not schedule app refresh: \(error)")
    }
  }
}
