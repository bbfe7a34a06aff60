/// Thrown by an `async` handler to defer the job: it goes back to the queue and is started again after the
/// delay, with its state folder kept.
public struct JobDeferral: Error, Hashable, Sendable {
  /// The time until the next start; whole seconds, rounded up, at least 1.
  public var delay: Duration
  /// The reason, in one sentence for people.
  public var message: String

  /// Puts the job off by `delay`.
  public init(for delay: Duration, message: String = "") {
    self.delay = delay
    self.message = message
  }

  /// The value in the page.
  var seconds: UInt32 {
    let (whole, rest) = delay.components
    return UInt32(clamping: max(1, whole + (rest > 0 ? 1 : 0)))
  }
}
