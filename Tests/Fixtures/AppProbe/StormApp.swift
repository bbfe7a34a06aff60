import BackgroundTasks

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
      .backgroundTask(.appRefresh("org.example.app.look")) { tell("looked") }
      .backgroundTask(.processingTask("org.example.app.tidy")) { tell("tidied") }
      .backgroundTask(.push) { push in
        tell("unread \(push.userInfo["unread"] ?? "nothing")")
      }
  }

  private func scheduleTasks() {
    let look = BGAppRefreshTaskRequest(identifier: "org.example.app.look")
    let tidy = BGProcessingTaskRequest(identifier: "org.example.app.tidy")
    for request in [look, tidy] {
      request.earliestBeginDate = Date(timeIntervalSinceNow: 3600)
      // A refusal shows in that nothing waits.
      try? BGTaskScheduler.shared.submit(request)
    }
  }
}
