import BackgroundTasks

/// An app of SwiftUI's shape: a person starts and leaves it, and the runner launches it for its look.
@main
struct StormApp: App {
  init() {
    _ = NotificationCenter.default.addObserver(
      forName: UIApplication.didEnterBackgroundNotification, object: nil, queue: nil
    ) { _ in
      let request = BGAppRefreshTaskRequest(identifier: "org.example.app.look")
      request.earliestBeginDate = Date(timeIntervalSinceNow: 3600)
      // A refusal shows in that nothing waits.
      try? BGTaskScheduler.shared.submit(request)
    }
    // Once the program waits for signals.
    DispatchQueue.main.async { FileHandle.standardOutput.write(Data("stays\n".utf8)) }
  }

  var body: some Scene {
    WindowGroup { "A picture of the sky" }
      .backgroundTask(.appRefresh("org.example.app.look")) {
        FileHandle.standardOutput.write(Data("looked\n".utf8))
      }
  }
}
