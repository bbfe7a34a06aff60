/// How long a connection may be silent before it counts as broken, which depends on what it waits for.
///
/// The time that the machine sleeps does not count.
struct ConnectionTimeout {
  /// The next action of the other side.
  enum Due {
    /// Reading the data that is sent.
    case sending
    /// Starting its response: it may have to compute, or to fetch it itself.
    case answer
    /// Continuing its response.
    case receiving
  }

  private static let still = Duration.seconds(30)
  /// Without any route there is nothing to wait for.
  private static let blackout = Duration.seconds(2)
  static let awaySentence = "no network"
  private static let thought = Duration.seconds(300)

  private var moved: Int64 = 0
  private var since: SuspendingClock.Instant

  init(at now: SuspendingClock.Instant) { since = now }

  /// Checks the progress; returns the sentence about a timeout, else nil.
  ///
  /// `moved` grows with all data in both directions; `pause` is how long we may be silent ourselves, to
  /// keep to a rate.
  mutating func look(
    _ moved: Int64, due: Due, pause: Duration, at now: SuspendingClock.Instant,
    isAway: () -> Bool = { false }
  ) -> String? {
    if moved != self.moved { (self.moved, since) = (moved, now) }
    if now - since > Self.blackout + pause, isAway() { return Self.awaySentence }
    let limit = (due == .answer ? Self.thought : Self.still) + pause
    guard now - since > limit else { return nil }
    let span = "\(limit.components.seconds) s"
    return switch due {
    case .sending: "the server took nothing for \(span)"
    case .answer: "the server did not answer within \(span)"
    case .receiving: "nothing came for \(span)"
    }
  }
}
