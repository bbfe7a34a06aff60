public import Dispatch
public import Foundation

/// Where handlers are registered and, in a process that the runner launched, run; after Apple's class
/// of this name.
///
/// A job's `main` registers its handlers and ends with `BGTaskScheduler.shared.runUntilComplete()`.
public final class BGTaskScheduler: NSObject, Sendable {
  /// The scheduler of this process.
  public static let shared = BGTaskScheduler(environment: ProcessInfo.processInfo.environment)

  let environment: [String: String]
  let handlers: HandlerTable
  /// Who runs what is submitted here.
  let place: any SchedulingPlace

  /// A scheduler that sees this environment; `shared` sees the process'.
  package init(environment: [String: String]) {
    self.environment = environment
    handlers = HandlerTable()
    place = Self.place(environment: environment, handlers: handlers)
  }

  /// Registers what runs the jobs with this identifier.
  ///
  /// `identifier` is a whole identifier or a pattern that ends in `.*`; the more specific one wins.
  /// `queue` is where the handler is called; nil means a concurrent queue in the background. The
  /// handler may return before the work is done; the work ends with `setTaskCompleted`.
  ///
  /// - Returns: False when the identifier is malformed or registered already; the log says which.
  @discardableResult
  public func register(
    forTaskWithIdentifier identifier: String, using queue: DispatchQueue?,
    launchHandler: @escaping @Sendable (BGTask) -> Void
  ) -> Bool {
    handlers.register(
      identifier, Registration(queue: queue ?? .global(), body: .closure(launchHandler)))
  }

  /// Registers a handler as Apple's session prints it, without a label and a queue.
  ///
  /// - Returns: False when the identifier is malformed or registered already; the log says which.
  @discardableResult
  public func register(
    _ identifier: String, launchHandler: @escaping @Sendable (BGTask) -> Void
  ) -> Bool {
    register(forTaskWithIdentifier: identifier, using: nil, launchHandler: launchHandler)
  }

  /// Registers an `async` function that runs the jobs with this identifier.
  ///
  /// Its return means completed. What it throws fails the job and becomes the message that people
  /// see: a `JobFailure` with its exit code, a `LocalizedError` with its description. A `JobDeferral`
  /// puts the job back into the queue. A stop cancels the Swift task.
  ///
  /// - Returns: False when the identifier is malformed or registered already; the log says which.
  @discardableResult
  public func register(
    forTaskWithIdentifier identifier: String,
    handler: @escaping @Sendable (BGContinuedProcessingTask) async throws -> Void
  ) -> Bool {
    handlers.register(identifier, Registration(queue: .global(), body: .function(handler)))
  }
}
