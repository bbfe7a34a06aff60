import BackgroundTasks
import UserNotifications

private func tell(_ line: String) {
  FileHandle.standardOutput.write(Data((line + "\n").utf8))
}

/// An app of SwiftUI's shape: a person starts and leaves it, and the runner launches it for its tasks.
@main
struct StormApp: App {
  @Environment(\.scenePhase) private var phase

  init() {
    // Once the program waits for signals.
    DispatchQueue.main.async { tell("stays as \(Bundle.main.bundleIdentifier ?? "nobody")") }
    if let path = ProcessInfo.processInfo.environment["PROBE_EXPORTS"] {
      Self.registerExport(until: path)
      Self.submitExport()
    }
  }

  /// The continued task of WWDC25, whose last step waits for a file.
  private nonisolated static func registerExport(until path: String) {
    BGTaskScheduler.shared.register(forTaskWithIdentifier: "org.example.app.export", using: nil) {
      guard let task = $0 as? BGContinuedProcessingTask else { return }

      // App-defined function where more work is done
      var shouldContinue = true
      task.expirationHandler = {
        shouldContinue = false
      }
      task.progress.totalUnitCount = 100
      task.progress.completedUnitCount = 0

      while shouldContinue {
        // Do some work
        if task.progress.completedUnitCount < 99 { task.progress.completedUnitCount += 1 }
        if task.progress.completedUnitCount == 50 { tell("half") }
        Thread.sleep(forTimeInterval: 0.005)
        if FileManager.default.fileExists(atPath: path) { break }
      }

      task.progress.completedUnitCount = 100
      // Before the task ends, as the program may end with it.
      tell("exported")
      task.setTaskCompleted(success: true)
    }
  }

  private static func submitExport() {
    let request = BGContinuedProcessingTaskRequest(
      identifier: "org.example.app.export", title: "A succinct title",
      subtitle: "A useful and informative subtitle")
    request.strategy = .fail
    do {
      try BGTaskScheduler.shared.submit(request)
    } catch {
      tell("refused: \(error)")
    }
  }

  var body: some Scene {
    WindowGroup { "A picture of the sky" }
      .onChange(of: phase) { phase in
        switch phase {
        case .background: scheduleTasks()
        default: break
        }
      }
      .onChange(of: phase) { before, now in
        if now == .active { tell("\(before) then \(now)") }
      }
      .backgroundTask(.appRefresh("org.example.app.look")) {
        tell("looked")
        await notifyForPhoto()
      }
      .backgroundTask(.processingTask("org.example.app.tidy")) { tell("tidied") }
      .backgroundTask(.push) { push in
        tell("unread \(push.userInfo["unread"] ?? "nothing")")
      }
  }

  private func notifyForPhoto() async {
    let content = UNMutableNotificationContent()
    content.title = "Stormy"
    content.body = "take a photo of the sky"
    let request = UNNotificationRequest(
      identifier: UUID().uuidString, content: content, trigger: nil)
    do {
      try await UNUserNotificationCenter.current().add(request)
      tell("told")
    } catch {
      tell("not told: \(error.localizedDescription)")
    }
  }

  private func scheduleTasks() {
    let look = BGAppRefreshTaskRequest(identifier: "org.example.app.look")
    let tidy = BGProcessingTaskRequest(identifier: "org.example.app.tidy")
    for request in [look, tidy] {
      request.earliestBeginDate = Date(timeIntervalSinceNow: 3600)
      // A refusal shows as a missing pending request.
      try? BGTaskScheduler.shared.submit(request)
    }
  }
}
