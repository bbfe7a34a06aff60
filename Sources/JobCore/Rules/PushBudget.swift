/// How often the pushes of others may wake a bundle's programs.
///
/// A bundle that was left alone for long may be woken `most` times in a row, and then once in `interval`;
/// what is told to the same program twice within `rest` is told once.
struct PushBudget: Sendable {
  static let most: UInt64 = 20
  static let interval = Span.minutes(5)
  static let rest = Span.seconds(10)

  /// When each bundle will have its whole budget again (the generic cell rate algorithm).
  private var wholeAt: [JobIdentifier: Instant] = [:]
  private var lastLaunches: [JobIdentifier: Instant] = [:]
  /// Bundles that are kept without a look at which of them are long forgotten.
  private static let roomKept = 64

  /// Takes one for a launch of `bundle`; the time until it has one again when it has none.
  mutating func take(for bundle: JobIdentifier, at now: Instant) -> Span? {
    if wholeAt.count >= Self.roomKept { wholeAt = wholeAt.filter { $0.value > now } }
    let whole = max(wholeAt[bundle] ?? now, now) + Self.interval
    let latest = now + Span(nanoseconds: Self.interval.nanoseconds * Self.most)
    guard whole <= latest else { return whole - latest }
    wholeAt[bundle] = whole
    return nil
  }

  mutating func noteLaunch(of identifier: JobIdentifier, at now: Instant) {
    if lastLaunches.count >= Self.roomKept {
      lastLaunches = lastLaunches.filter { $0.value + Self.rest > now }
    }
    lastLaunches[identifier] = now
  }

  /// Until when a program that was just woken is left alone; nil when it may be woken.
  func restEnd(of identifier: JobIdentifier, at now: Instant) -> Instant? {
    lastLaunches[identifier].map { $0 + Self.rest }.flatMap { $0 > now ? $0 : nil }
  }
}
