public import Foundation

/// Where handlers are registered and requests submitted; after Apple's class of this name.
///
/// A job's `main` registers its handlers and ends with `BGTaskScheduler.shared.runUntilComplete()`.
public final class BGTaskScheduler: NSObject, Sendable {
  private static let ofProcess = BGTaskScheduler(environment: ProcessInfo.processInfo.environment)
  /// What `shared` is instead, in handlers and tests.
  @TaskLocal static var substitute: BGTaskScheduler?

  /// The scheduler of this process, or the one that the calling Swift task works for.
  public static var shared: BGTaskScheduler { substitute ?? ofProcess }

  package let environment: [String: String]
  let handlers = HandlerTable()
  /// What runs in a launch for the events of a session.
  package let sessionEvents = SessionEvents()
  /// What must be finished before this program's tasks end.
  let holds: Holds
  /// The tasks that run in this process.
  let running = RunningTasks()
  /// Calls that have not returned.
  package let calls = Calls()
  /// Who runs what is submitted here.
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
