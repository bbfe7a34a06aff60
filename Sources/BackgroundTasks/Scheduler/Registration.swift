internal import Dispatch

/// What was registered for one identifier or pattern.
struct Registration: Sendable {
  enum Body: Sendable {
    /// Apple's form: it ends with `setTaskCompleted`.
    case closure(@Sendable (BGTask) -> Void)
    /// Ours: it ends with its return.
    case function(@Sendable (BGContinuedProcessingTask) async throws -> Void)
  }

  var queue: DispatchQueue
  var body: Body

  /// What must be known about `task` before it can be told to stop.
  func prepare(_ task: BGContinuedProcessingTask) {
    if case .function = body { task.expectCancelWork() }
  }

  /// Calls the handler on its queue; `whenReturned` follows its return.
  func launch(
    _ task: BGContinuedProcessingTask, whenReturned: @escaping @Sendable () -> Void
  ) {
    switch body {
    case .closure(let handler):
      queue.async {
        handler(task)
        task.launchHandlerReturned()
        whenReturned()
      }
    case .function(let handler):
      let work = Task.detached {
        task.finish(await Self.ending(of: handler, task))
        whenReturned()
      }
      task.launchHandlerReturned()
      task.setCancelWork { work.cancel() }
    }
  }

  private static func ending(
    of handler: @Sendable (BGContinuedProcessingTask) async throws -> Void,
    _ task: BGContinuedProcessingTask
  ) async -> TaskEnding {
    do {
      try await handler(task)
      return .success(message: task.message)
    } catch let deferral as JobDeferral {
      return .deferral(seconds: deferral.seconds, message: deferral.message)
    } catch let failure as JobFailure {
      return .failure(message: failure.message, exitCode: failure.exitCode)
    } catch is CancellationError where task.stopReason != nil {
      return .failure(message: task.message, exitCode: 1)
    } catch {
      return .failure(message: error.sentence, exitCode: 1)
    }
  }
}
