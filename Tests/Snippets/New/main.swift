import BackgroundTasks

BGTaskScheduler.shared.register(forTaskWithIdentifier: "local.user.jobs.count.*") { task in
  task.progress.totalUnitCount = 10
  for step in 1...10 {
    try await Task.sleep(for: .milliseconds(200))
    task.updateSubtitle("step \(step)")
    task.progress.completedUnitCount += 1
  }
}
BGTaskScheduler.shared.runUntilComplete()
