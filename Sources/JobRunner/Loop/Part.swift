import JobCore

/// A part of the runner with its own state: it watches its descriptors itself, has its own deadline, and
/// reports results through the closures it was made with.
protocol Part: AnyObject {
  /// The instant at which to call `act`; nil = only its descriptors can wake it.
  var nextDue: Instant? { get }

  /// Performs the actions due by now.
  func act(at now: Instant)
}

extension Part {
  /// Acts if it is time for it.
  func actIfDue(at now: Instant) {
    if let due = nextDue, due <= now { act(at: now) }
  }
}
