internal import Dispatch

extension BGTask {
  @TaskLocal private static var present: BGTask?

  /// The task that the calling Swift task, or the calling handler, works for; nil outside of one.
  public static var current: BGTask? { present }

  /// Runs a handler's code so that it finds its task and its scheduler.
  func around<Value>(_ body: () throws -> Value) rethrows -> Value {
    try Self.$present.withValue(self) {
      try BGTaskScheduler.$substitute.withValue(scheduler, operation: body)
    }
  }
}
