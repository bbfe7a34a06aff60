package import JobCore
package import JobWire

/// The attempts of an engine that somebody wants to be looked at.
///
/// Each look is a read on the machine there, often of files that many share: each attempt is looked at once a
/// second at most, all together so many times a second, and only a few of them are under way, so that a stop
/// has no crowd of looks before it.
package struct LookQueue {
  private static let pause = Span.seconds(1)
  private static let atOnce = 16
  private static let spacing = Span.milliseconds(20)
  /// One that was not answered for so long is under way no more.
  private static let patience = Span.seconds(5)

  /// In their order, from `first` on.
  private var waiting: [EngineAttempt] = []
  private var first = 0
  private var isWaiting: Set<EngineAttempt> = []
  private var underWay: [EngineAttempt: Instant] = [:]
  private var askedAt: [EngineAttempt: Instant] = [:]
  private var lastAsked: Instant?

  package init() {}

  /// Somebody wants it to be looked at, which it may be already.
  package mutating func want(_ attempt: EngineAttempt, at now: Instant) {
    if let asked = askedAt[attempt], now < asked + Self.pause { return }
    guard underWay[attempt] == nil, isWaiting.insert(attempt).inserted else { return }
    waiting.append(attempt)
  }

  /// The one to be asked for now; nil = none yet.
  package mutating func next(at now: Instant) -> EngineAttempt? {
    underWay = underWay.filter { now < $0.value + Self.patience }
    guard underWay.count < Self.atOnce, lastAsked.map({ $0 + Self.spacing <= now }) ?? true else {
      return nil
    }
    while first < waiting.count {
      let attempt = waiting[first]
      first += 1
      // It may be over by now.
      guard isWaiting.remove(attempt) != nil else { continue }
      (underWay[attempt], askedAt[attempt], lastAsked) = (now, now, now)
      return attempt
    }
    waiting.removeAll(keepingCapacity: true)
    first = 0
    return nil
  }

  /// When there may be one to be asked for; nil = none is wanted.
  package var due: Instant? {
    guard first < waiting.count else { return nil }
    let next = lastAsked.map { $0 + Self.spacing } ?? Instant(nanoseconds: 0)
    guard underWay.count >= Self.atOnce, let oldest = underWay.values.min() else { return next }
    return max(next, oldest + Self.patience)
  }

  package mutating func answered(_ attempt: EngineAttempt) { underWay[attempt] = nil }

  /// It is over.
  package mutating func leave(_ attempt: EngineAttempt) {
    underWay[attempt] = nil
    askedAt[attempt] = nil
    isWaiting.remove(attempt)
  }
}
