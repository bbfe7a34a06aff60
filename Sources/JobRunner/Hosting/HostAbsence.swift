package import JobCore

/// How long a live process that hosts jobs has not been connected; the time in which it is stopped, by a signal or
/// a debugger, does not count: it cannot reconnect.
package struct HostAbsence {
  /// How long jobs wait for a live process that does not reconnect: the library retries every few seconds at
  /// most.
  package static let timeout = Interval.seconds(60)
  /// Between two looks whether it is stopped.
  package static let looksApart = Interval.seconds(15)

  /// Since when it might have reconnected.
  private var countedSince: Instant
  private var lookedAt: Instant

  package init(since now: Instant) {
    (countedSince, lookedAt) = (now, now)
  }

  /// When it is looked at next.
  package var nextLook: Instant { min(countedSince + Self.timeout, lookedAt + Self.looksApart) }

  /// Looks at the process; true when its jobs have waited long enough.
  package mutating func look(isStopped: Bool, at now: Instant) -> Bool {
    lookedAt = now
    if isStopped { countedSince = now }
    return countedSince + Self.timeout <= now
  }
}
