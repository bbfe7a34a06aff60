/// What a declared handler is for, and what it is given; after SwiftUI's type of this name.
public struct BackgroundTask<Request: Sendable, Response: Sendable>: Sendable {
  /// The identifier, or a pattern that ends in `.*`.
  let identifier: String
  /// What the handler is given of its task.
  let request: @Sendable (BGTask) throws -> Request
}

extension BackgroundTask where Request == Void, Response == Void {
  /// A short look at what is new, which a `BGAppRefreshTaskRequest` with this identifier asks for.
  public static func appRefresh(_ identifier: String) -> BackgroundTask {
    BackgroundTask(identifier: identifier) { _ in }
  }

  /// Minutes of work, which a `BGProcessingTaskRequest` with this identifier asks for.
  public static func processingTask(_ identifier: String) -> BackgroundTask {
    BackgroundTask(identifier: identifier) { _ in }
  }
}

extension BackgroundTask where Request == BGContinuedProcessingTask, Response == Void {
  /// Work that a person started and watches; the handler is given the task, to report its progress.
  ///
  /// The identifier may be a pattern that ends in `.*`.
  public static func continuedProcessing(_ identifier: String) -> BackgroundTask {
    BackgroundTask(identifier: identifier) { task in
      guard let task = task as? BGContinuedProcessingTask else {
        throw JobFailure("\(task.identifier) was launched as another kind of task")
      }
      return task
    }
  }
}
