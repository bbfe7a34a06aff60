import BackgroundTasks

BGTaskScheduler.shared.register(forTaskWithIdentifier: "io.example.notes.count.*") { task in
  task.progress.totalUnitCount = 100
  for number in 1...100 {
    try Task.checkCancellation()
    task.updateSubtitle("part \(number) of 100")
    task.progress.completedUnitCount += 1
  }
  task.message = "100 parts"
}
BGTaskScheduler.shared.runUntilComplete()
