internal import Dispatch

/// The registration of one identifier or pattern.
struct Registration: Sendable {
  /// Apple's form: it runs on the registration's queue, or on its actor.
  typealias Closure = @isolated(any) @Sendable (BGTask) -> Void
  /// Ours.
  typealias Function = @Sendable (BGTask) async throws -> Void

  enum Body: Sendable {
    /// It ends with `setTaskCompleted`.
    case closure(Closure)
    /// It ends with its return, or with `setTaskCompleted`.
    case function(Function)
  }

  private let givenQueue: DispatchQueue?
  let body: Body

  /// Without a queue, each task has a separate one.
  init(queue: DispatchQueue? = nil, body: Body) {
    givenQueue = queue
    self.body = body
  }

  /// Where the handlers of one task are called.
  ///
  /// Not a global queue: those share their threads, as many as there are processors, with Swift tasks, and a
  /// handler may compute or block for as long as it runs.
  var queue: DispatchQueue { givenQueue ?? DispatchQueue(label: "jobrun handler") }

  /// Whether the author's code reports the completion, and may continue after that.
  var completesItself: Bool {
    if case .closure = body { true } else { false }
  }

  /// Prepares `task` before it can be told to stop.
  func prepare(_ task: BGTask) {
    if case .function = body { task.expectCancelWork() }
  }

  /// Calls the handler on its queue; `whenReturned` follows its return.
  func launch(_ task: BGTask, whenReturned: @escaping @Sendable () -> Void = {}) {
    task.around {
      switch body {
      case .closure(let handler): call(handler, task, whenReturned)
      case .function(let handler): start(handler, task, whenReturned)
      }
    }
  }

  private func call(
    _ handler: @escaping Closure, _ task: BGTask, _ whenReturned: @escaping @Sendable () -> Void
  ) {
    _ = Task(executorPreference: QueueExecutor(task.queue)) {
      await handler(task)
      task.launchHandlerReturned()
      whenReturned()
    }
  }

  private func start(
    _ handler: @escaping Function, _ task: BGTask, _ whenReturned: @escaping @Sendable () -> Void
  ) {
    // Not detached: it inherits the task-local values of `around`.
    let work = Task(priority: .medium) {
      let ending = await Self.ending(of: handler, task)
      // The handler may have completed the task itself and continued.
      if ending.exitCode != 0 || !task.isCompleted { task.finish(ending) }
      whenReturned()
    }
    task.launchHandlerReturned()
    task.setCancelWork { work.cancel() }
  }

  private static func ending(of handler: Function, _ task: BGTask) async -> TaskEnding {
    do {
      try await handler(task)
      return .success(message: task.message)
    } catch let deferral as JobDeferral {
      return .deferral(seconds: deferral.seconds, message: deferral.message)
    } catch let failure as JobFailure {
      return .failure(message: failure.message, exitCode: failure.exitCode)
    } catch is CancellationError where task.stopReason != nil {
      let said = task.message
      let isUnexplained = said.isEmpty && task.stopReason == .signal
      return .failure(
        message: isUnexplained ? BGTask.StopReason.signal.description : said, exitCode: 1)
    } catch {
      return .failure(message: error.sentence, exitCode: 1)
    }
  }
}
