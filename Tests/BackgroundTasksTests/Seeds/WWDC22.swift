// swift-format-ignore-file
import BackgroundTasks
import Foundation
import Synchronization
import Testing

// The code samples of WWDC22 session 10142 and of the articles about it, as published, except the network and
// the notifications.
enum WWDC22 {
  struct StormyApp: App {
    var body: some Scene {
      WindowGroup {
        ContentView()
      }
      .backgroundTask(.appRefresh("StormyNoon")) {
        scheduleAppRefresh()
        if await isStormy() {
          await notifyForPhoto()
        }
      }
    }
  }

  static func scheduleAppRefresh() {
    let today = Calendar.current.startOfDay(for: .now)
    let tomorrow = Calendar.current.date(byAdding: .day, value: 1, to: today)!
    let noonComponent = DateComponents(hour: 12)
    let noon = Calendar.current.date(byAdding: noonComponent, to: tomorrow)

    let request = BGAppRefreshTaskRequest(identifier: "StormyNoon")
    request.earliestBeginDate = noon
    try? BGTaskScheduler.shared.submit(request)
  }

  static func ContentView() {}

  private static let looks = Mutex(0)

  /// The second look does not end: its noon is the first one's, as the sample reads the real clock.
  static func isStormy() async -> Bool {
    let isFirst = looks.withLock { looks in
      looks += 1
      return looks == 1
    }
    if !isFirst { for await _ in AsyncStream<Void>.makeStream().stream {} }
    return isFirst
  }

  static let notified = Awaited<Bool>()

  static func notifyForPhoto() async { notified.set(true) }
}

enum MyAppRefresh {
  static func scheduleAppRefresh() {
    let request = BGAppRefreshTaskRequest(identifier: "myapprefresh")
    request.earliestBeginDate = .now.addingTimeInterval(24 * 3600)
    try? BGTaskScheduler.shared.submit(request)
  }

  struct MyApp: App {
    var body: some Scene {
      WindowGroup {
        WWDC22.ContentView()
      }
      .backgroundTask(.appRefresh("myapprefresh")) {
        let request = URL(string: "file:///dev/null")!
        guard let data = try? Data(contentsOf: request) else {
          return
        }

        if data.isEmpty && !Task.isCancelled {
          await WWDC22.notifyForPhoto()
        }
      }
    }
  }
}
