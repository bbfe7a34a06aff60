import BackgroundTasks
import Foundation

@main
struct Stormy: BackgroundProgram {
  var body: some BackgroundScene {
    Background()
      .backgroundTask(.appRefresh("io.example.stormy.noon")) {
        try? await scheduleNextLook()
        if await isStormy() { BGTask.current?.message = "take a photo of the sky" }
      }
      .backgroundTask(.continuedProcessing("io.example.stormy.upload.*")) { task in
        task.progress.totalUnitCount = 3
        for _ in 0..<3 { task.progress.completedUnitCount += 1 }
      }
  }
}

func scheduleNextLook() async throws {
  let request = BGAppRefreshTaskRequest(identifier: "io.example.stormy.noon")
  request.earliestBeginDate = Date(timeIntervalSinceNow: 24 * 3600)
  try await BGTaskScheduler.shared.submitTaskRequest(request)
}

func isStormy() async -> Bool {
  await withTaskCancellationHandler {
    FileManager.default.fileExists(atPath: "/run/storm")
  } onCancel: {
    // Out of time: the refresh continues the next time.
  }
}
