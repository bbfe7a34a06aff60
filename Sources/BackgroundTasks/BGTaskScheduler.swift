public import Dispatch
public import Foundation
internal import JobCore
internal import Synchronization

/// Where handlers are registered and, in a process that the runner launched, run; after Apple's class
/// of this name.
///
/// A job's `main` registers its handlers and ends with `BGTaskScheduler.shared.runUntilComplete()`.
public final class BGTaskScheduler: NSObject, Sendable {
  /// The scheduler of this process.
  public static let shared = BGTaskScheduler(environment: ProcessInfo.processInfo.environment)

  let environment: [String: String]
  private let registrations = Mutex<[IdentifierPattern: Registration]>([:])

  /// A scheduler that sees this environment; `shared` sees the process'.
  package init(environment: [String: String]) {
    self.environment = environment
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
    register(identifier, Registration(queue: queue ?? .global(), body: .closure(launchHandler)))
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
    register(identifier, Registration(queue: .global(), body: .function(handler)))
  }

  private func register(_ identifier: String, _ registration: Registration) -> Bool {
    guard let pattern = IdentifierPattern(identifier) else {
      StandardError.say(IdentifierPattern.problem(in: identifier) ?? "\(identifier) is malformed")
      return false
    }
    let isNew = registrations.withLock { registrations in
      guard registrations[pattern] == nil else { return false }
      registrations[pattern] = registration
      return true
    }
    if !isNew {
      StandardError.say("\(identifier) has a handler already; the second registration is ignored")
    }
    return isNew
  }

  /// The patterns that have a handler, in order.
  var patterns: [String] { registrations.withLock { $0.keys.map(\.text).sorted() } }

  /// The most specific handler for this identifier.
  func registration(for identifier: JobIdentifier) -> Registration? {
    registrations.withLock { registrations in
      IdentifierPattern.best(for: identifier, among: Array(registrations.keys))
        .flatMap { registrations[$0] }
    }
  }
}
