import BackgroundTasks

// Where the work of a handler is done: in a Swift task, in operations, on another queue.

private let base = "org.example.corpus"

private func work(_ task: BGAppRefreshTask) {
  let work = Task {
    for _ in 0..<3 { await Task.yield() }
    Diary.note(Task.isCancelled ? "cancelled" : "fetched")
    task.setTaskCompleted(success: !Task.isCancelled)
  }
  task.expirationHandler = { work.cancel() }
}

private final class CleanOperation: Operation, @unchecked Sendable {
  override func main() {
    if !isCancelled { Diary.note("cleaned") }
  }
}

private func operate(_ task: BGProcessingTask) {
  let queue = OperationQueue()
  queue.maxConcurrentOperationCount = 1
  let operations = [CleanOperation(), CleanOperation()]
  let last = operations[1]
  last.addDependency(operations[0])
  task.expirationHandler = { queue.cancelAllOperations() }
  last.completionBlock = { task.setTaskCompleted(success: !last.isCancelled) }
  queue.addOperations(operations, waitUntilFinished: false)
}

private func upload(_ task: BGContinuedProcessingTask) {
  task.progress.totalUnitCount = 3
  DispatchQueue.global(qos: .utility).async {
    for part in 1...3 {
      task.updateTitle(task.title, subtitle: "part \(part)")
      task.progress.completedUnitCount = Int64(part)
    }
    DispatchQueue.main.async { task.setTaskCompleted(success: true) }
  }
}

private func save(_ task: BGAppRefreshTask) {
  var identifier = UIBackgroundTaskIdentifier.invalid
  identifier = UIApplication.shared.beginBackgroundTask(withName: "save") {
    Diary.note("no time")
  }
  task.setTaskCompleted(success: true)
  Diary.note("saved")
  UIApplication.shared.endBackgroundTask(identifier)
}

private func register<Kind: BGTask>(
  _ identifier: String, _ body: @escaping @Sendable (Kind) -> Void
) {
  BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: nil) { task in
    // swift-format-ignore: NeverForceUnwrap
    body(task as! Kind)
  }
}

extension Habit {
  static let working = [
    Habit(
      name: "task",
      launch: { register("\(base).task.fetch") { (task: BGAppRefreshTask) in work(task) } },
      use: { stage in
        try BGTaskScheduler.shared.submit(BGAppRefreshTaskRequest(identifier: "\(base).task.fetch"))
        let ended = await stage.ends(of: "\(base).task.fetch")
        stage.expectEqual(ended.map(\.outcome), [.succeeded], "outcome")
        stage.expectEqual(Diary.lines, ["fetched"], "diary")
      }),
    Habit(
      name: "operations",
      launch: {
        register("\(base).operations.clean") { (task: BGProcessingTask) in operate(task) }
      },
      use: { stage in
        let request = BGProcessingTaskRequest(identifier: "\(base).operations.clean")
        try BGTaskScheduler.shared.submit(request)
        let ended = await stage.ends(of: request.identifier)
        stage.expectEqual(ended.map(\.outcome), [.succeeded], "outcome")
        stage.expectEqual(Diary.lines, ["cleaned", "cleaned"], "diary")
      }),
    Habit(
      name: "queue",
      launch: {
        register("\(base).queue.upload") { (task: BGContinuedProcessingTask) in upload(task) }
      },
      use: { stage in
        try BGTaskScheduler.shared.submit(
          BGContinuedProcessingTaskRequest(
            identifier: "\(base).queue.upload", title: "Upload", subtitle: ""))
        let ended = await stage.ends(of: "\(base).queue.upload")
        stage.expectEqual(ended.map(\.outcome), [.succeeded], "outcome")
        stage.expectEqual(ended.first?.subtitle, "part 3", "subtitle")
      }),
    Habit(
      name: "holding",
      launch: { register("\(base).holding.save") { (task: BGAppRefreshTask) in save(task) } },
      use: { stage in
        let request = BGAppRefreshTaskRequest(identifier: "\(base).holding.save")
        try BGTaskScheduler.shared.submit(request)
        let ended = await stage.ends(of: request.identifier)
        stage.expectEqual(ended.map(\.outcome), [.succeeded], "outcome")
        stage.expectEqual(Diary.lines, ["saved"], "diary")
        stage.expectEqual(UIApplication.shared.backgroundRefreshStatus, .available, "status")
        stage.expectEqual(UIApplication.shared.applicationState, .active, "state")
      }),
  ]
}
