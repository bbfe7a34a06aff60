/// What a declared handler is for, and what it is given; after SwiftUI's type of this name.
public struct BackgroundTask<Request: Sendable, Response: Sendable>: Sendable {
  enum Target: Sendable {
    /// Tasks with the identifier, or a pattern that ends in `.*`; nil = that of the push that the process
    /// was launched for. What the handler is given of one.
    case tasks(String?, @Sendable (BGTask) throws -> Request)
    /// The events of the sessions for whose identifiers the first holds; what the handler is given.
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
  /// A short look at what is new, which a `BGAppRefreshTaskRequest` with this identifier asks for.
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
  /// What somebody else has to tell the program: any definition of the bundle whose kind is `push`.
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
