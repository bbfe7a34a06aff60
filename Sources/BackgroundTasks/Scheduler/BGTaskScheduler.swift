public import Foundation

/// Where handlers are registered and requests submitted; after Apple's class of this name.
///
/// A job's `main` registers its handlers and ends with `BGTaskScheduler.shared.runUntilComplete()`.
public final class BGTaskScheduler: NSObject, Sendable {
  private static let ofProcess = BGTaskScheduler(environment: ProcessInfo.processInfo.environment)
  /// Replaces `shared`, in handlers and tests.
  @TaskLocal static var substitute: BGTaskScheduler?

  /// The scheduler of this process, or that of the calling Swift task.
  public static var shared: BGTaskScheduler { substitute ?? ofProcess }

  package let environment: [String: String]
  let handlers = HandlerTable()
  /// The handlers of launches for the events of a session.
  package let sessionEvents = SessionEvents()
  /// Work that must be finished before this program's tasks end.
  let holds: Holds
  /// The tasks that run in this process.
  let running = RunningTasks()
  /// Calls that have not returned.
  package let calls = Calls()
  /// The backend that runs submitted tasks.
  let place: any SchedulingBackend

  /// A scheduler that sees this environment; `shared` sees the process'.
  package convenience init(environment: [String: String]) {
    self.init(environment: environment, clock: MachineClock()) { handlers in
      Self.place(environment: environment, handlers: handlers)
    }
  }

  init(
    environment: [String: String], clock: any TaskClock,
    place: (HandlerTable) -> any SchedulingBackend
  ) {
    self.environment = environment
    holds = Holds(clock: clock, wakefulness: Self.wakefulness(environment, clock))
    self.place = place(handlers)
    super.init()
    self.place.belong(to: self)
  }
}
