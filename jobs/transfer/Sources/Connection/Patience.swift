/// How long a connection may be still before it is taken for broken: what it waits for decides.
///
/// While the machine sleeps nobody waits.
struct Patience {
  /// What the other side has to do next.
  enum Due {
    /// Take bytes of what is sent.
    case sending
    /// Say the first word of its answer: it may have to think, or to fetch it itself.
    case answer
    /// Give bytes of what it has begun.
    case receiving
  }

  private static let still = Duration.seconds(30)
  /// When no way leads out any more there is nothing to wait for.
  private static let blackout = Duration.seconds(2)
  static let awaySentence = "no network"
  private static let thought = Duration.seconds(300)

  private var moved: Int64 = 0
  private var since: SuspendingClock.Instant

  init(at now: SuspendingClock.Instant) { since = now }

  /// Looks how far it is; the sentence about what has not come for too long, else nil.
  ///
  /// `moved` grows with whatever comes and goes; `pause` is how long we may be still ourselves, to keep to a
  /// rate.
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
