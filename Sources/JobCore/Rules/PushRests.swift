/// Programs that a push has just woken: what is told to one of them twice within `length` is told once.
///
/// How often a bundle is woken at all is its budget's affair.
struct PushRests: Sendable {
  static let length = Interval.seconds(10)

  private var lastLaunches: [JobIdentifier: Instant] = [:]
  /// Programs that are kept without a look at which of them are long forgotten.
  private static let roomKept = 64

  mutating func noteLaunch(of identifier: JobIdentifier, at now: Instant) {
    if lastLaunches.count >= Self.roomKept {
      lastLaunches = lastLaunches.filter { $0.value + Self.length > now }
    }
    lastLaunches[identifier] = now
  }

  /// Takes over what an earlier runner has launched.
  mutating func noteLaunch(of identifier: JobIdentifier, _ age: Interval, before now: Instant) {
    guard age < Self.length, age.nanoseconds <= now.nanoseconds else { return }
    let start = Instant(nanoseconds: now.nanoseconds - age.nanoseconds)
    noteLaunch(of: identifier, at: max(start, lastLaunches[identifier] ?? start))
  }

  /// Until when a program that was just woken is left alone; nil when it may be woken.
  func end(of identifier: JobIdentifier, at now: Instant) -> Instant? {
    lastLaunches[identifier].map { $0 + Self.length }.flatMap { $0 > now ? $0 : nil }
  }
}
