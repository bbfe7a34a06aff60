internal import Dispatch
public import Foundation

extension ProcessInfo {
  /// Runs work that must not be cut off, as Apple's Foundation has it: a stop or an expiry waits until
  /// `block` has returned, up to its limit.
  ///
  /// - Parameters:
  ///   - reason: what the log calls it when it does not return in time.
  ///   - block: called on a queue in the background with false; shortly before time is up it is called
  ///     again with true, while the first call goes on. With true alone: time is up already.
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
