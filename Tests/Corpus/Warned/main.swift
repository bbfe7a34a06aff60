import BackgroundTasks

// Code that compiles in Swift 5 mode with a warning, as on Apple's platforms, and works: a method of a
// main-actor class is passed as it is.

@MainActor
final class Tidier {
  private let identifier = "org.example.corpus.warned"

  func register() {
    BGTaskScheduler.shared.register(
      forTaskWithIdentifier: identifier, using: .main, launchHandler: handle(task:))
    BGTaskScheduler.shared.register(
      forTaskWithIdentifier: identifier + ".*", using: nil, launchHandler: handle)
  }

  private func handle(task: BGTask) {
    MainActor.assertIsolated()
    task.setTaskCompleted(success: true)
  }

  func tidy() async throws -> Int32 {
    for name in [identifier, identifier + ".more"] {
      try BGTaskScheduler.shared.submit(BGProcessingTaskRequest(identifier: name))
    }
    let records = await BGTaskScheduler.shared.taskRecords { records in
      records.count == 2 && records.allSatisfy { $0.state == .ended }
    }
    return records.allSatisfy { $0.outcome == .succeeded } ? 0 : 1
  }
}

let tidier = Tidier()
tidier.register()
exit(try await tidier.tidy())
