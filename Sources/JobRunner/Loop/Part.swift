import JobCore

/// A part of the runner with a state of its own: it watches its descriptors itself, says when time is
/// up for it, and tells what came of it through the closures it was made with.
protocol Part: AnyObject {
  /// The instant at which `act` is to be called; nil = only its descriptors can wake it.
  var nextDue: Instant? { get }

  /// Does what is due by now.
  func act(at now: Instant)
}

extension Part {
  /// Acts if it is time for it.
  func actIfDue(at now: Instant) {
    if let due = nextDue, due <= now { act(at: now) }
  }
}
