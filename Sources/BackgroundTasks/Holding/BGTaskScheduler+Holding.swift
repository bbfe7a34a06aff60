public import Foundation

extension BGTaskScheduler {
  /// Begins work that a stop must not interrupt, as in `UIApplication`: a stop or an expiry waits for
  /// `endBackgroundTask(_:)`, up to its limit.
  ///
  /// Begun in a task's handler, it delays the end of that task; elsewhere, that of all tasks of this program.
  /// Without a stop, the end of a task waits for 30 seconds at most.
  ///
  /// - Parameters:
  ///   - name: its name in the log when it is never ended.
  ///   - expirationHandler: called once, shortly before time is up, on its actor or otherwise in the
  ///     background. It ends the work and calls `endBackgroundTask(_:)`.
  /// - Returns: the argument for `endBackgroundTask(_:)`; `.invalid` when time is already up.
  public func beginBackgroundTask(
    withName name: String? = nil,
    @_inheritActorContext expirationHandler: (@isolated(any) @Sendable () -> Void)? = nil
  ) -> UIBackgroundTaskIdentifier {
    var whenExpiring: (@Sendable () -> Void)?
    if let expirationHandler {
      whenExpiring = {
        Task(executorPreference: QueueExecutor(.expiration)) { await expirationHandler() }
      }
    }
    let number = holds.begin(
      name ?? "a background task", for: BGTask.current.map(ObjectIdentifier.init),
      whenExpiring: whenExpiring)
    return number.map(UIBackgroundTaskIdentifier.init(rawValue:)) ?? .invalid
  }

  /// Ends the work of a `beginBackgroundTask`; `.invalid` is ignored.
  ///
  /// The second end of the same work is noted in the log.
  public func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
    if identifier != .invalid { holds.end(identifier.rawValue) }
  }

  /// Seconds until the task that the caller works for is ended; the largest number as long as it may
  /// run.
  public var backgroundTimeRemaining: TimeInterval {
    guard let left = holds.remaining(of: BGTask.current.map(ObjectIdentifier.init)) else {
      return .greatestFiniteMagnitude
    }
    return left / .seconds(1)
  }
}
