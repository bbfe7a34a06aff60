internal import Dispatch
public import Foundation

extension ProcessInfo {
  /// Runs work that a stop must not interrupt, as in Apple's Foundation: a stop or an expiry waits until
  /// `block` has returned, up to its limit.
  ///
  /// - Parameters:
  ///   - reason: its name in the log when it does not return in time.
  ///   - block: called on a background queue with false; shortly before time is up it is called again with
  ///     true, while the first call continues. Only with true when time is already up.
  public func performExpiringActivity(
    withReason reason: String, using block: @escaping @Sendable (_ expired: Bool) -> Void
  ) {
    let task = BGTask.current
    let holds = BGTaskScheduler.shared.holds
    let hold = holds.begin(reason, for: task.map(ObjectIdentifier.init)) { block(true) }
    let work: @Sendable () -> Void = {
      block(hold == nil)
      if let hold { holds.end(hold) }
    }
    DispatchQueue(label: "jobrun activity").async {
      if let task { task.around(work) } else { work() }
    }
  }
}
