internal import Dispatch
internal import JobCore

/// The data that a backend gives a task at its start.
struct TaskStart {
  /// The job's number; nil without one from a runner.
  var number: JobNumber?
  /// The whole identifier, never a pattern.
  var identifier: String
  var kind: TaskKind
  /// Of a processing task: whether a health research request asked for it.
  var isHealthResearch = false
  var means = TaskMeans()
  var page: WorkerPage
  /// Where its handlers are called.
  var queue: DispatchQueue
  /// `BGTaskScheduler.shared` in its handlers.
  var scheduler: BGTaskScheduler
  /// Gets the exit code, once.
  var whenCompleted: @Sendable (Int32) -> Void

  /// The task, of the class that its kind has.
  func task() -> BGTask {
    let task =
      switch kind {
      case .continued: BGContinuedProcessingTask(self)
      case .processing where isHealthResearch: BGHealthResearchTask(self)
      case .processing: BGProcessingTask(self)
      case .refresh: BGAppRefreshTask(self)
      case .push: BGPushTask(self)
      }
    scheduler.running.add(task)
    return task
  }
}
