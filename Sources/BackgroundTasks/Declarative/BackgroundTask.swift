/// The kind of task that a declared handler runs, and its argument; after SwiftUI's type of this name.
public struct BackgroundTask<Request: Sendable, Response: Sendable>: Sendable {
  enum Target: Sendable {
    /// Tasks with the identifier, or a pattern that ends in `.*`; nil = the push that the process was launched
    /// for. The closure makes the handler's argument.
    case tasks(String?, @Sendable (BGTask) throws -> Request)
    /// The events of sessions whose identifiers match the first closure; the second makes the handler's
    /// argument.
    case sessions(@Sendable (String) -> Bool, @Sendable (String) -> Request)
  }

  let target: Target

  init(identifier: String?, request: @escaping @Sendable (BGTask) throws -> Request) {
    target = .tasks(identifier, request)
  }

  init(
    sessions: @escaping @Sendable (String) -> Bool, request: @escaping @Sendable (String) -> Request
  ) {
    target = .sessions(sessions, request)
  }
}

extension BackgroundTask where Request == Void, Response == Void {
  /// A short refresh of content, requested by a `BGAppRefreshTaskRequest` with this identifier.
  public static func appRefresh(_ identifier: String) -> BackgroundTask {
    BackgroundTask(identifier: identifier) { (_: BGTask) in }
  }

  /// Minutes of work, which a `BGProcessingTaskRequest` with this identifier asks for.
  public static func processingTask(_ identifier: String) -> BackgroundTask {
    BackgroundTask(identifier: identifier) { (_: BGTask) in }
  }
}

extension BackgroundTask where Request == BGContinuedProcessingTask, Response == Void {
  /// Work that a person started and watches; the handler is given the task, to report its progress.
  ///
  /// The identifier may be a pattern that ends in `.*`.
  public static func continuedProcessing(_ identifier: String) -> BackgroundTask {
    BackgroundTask(identifier: identifier) { (task: BGTask) in
      guard let task = task as? BGContinuedProcessingTask else {
        throw JobFailure("\(task.identifier) was launched as another kind of task")
      }
      return task
    }
  }
}

extension BackgroundTask where Request == BackgroundPush, Response == Void {
  /// A push message to the program: any definition of the bundle whose kind is `push`.
  public static var push: BackgroundTask { BackgroundTask(identifier: nil, request: told) }

  /// The same for one definition; the identifier may be a pattern that ends in `.*`.
  public static func push(_ identifier: String) -> BackgroundTask {
    BackgroundTask(identifier: identifier, request: told)
  }

  private static func told(_ task: BGTask) throws -> BackgroundPush {
    guard let task = task as? BGPushTask else {
      throw JobFailure("\(task.identifier) was launched as another kind of task")
    }
    return BackgroundPush(task)
  }
}
