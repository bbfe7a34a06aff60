/// Programs that a push has just woken: pushes for the same program within `length` are merged.
///
/// The budget limits how often a bundle is woken in all.
struct PushRests: Sendable {
  static let length = Interval.seconds(10)

  private var lastLaunches: [JobIdentifier: Instant] = [:]
  /// From this number of programs on, expired entries are removed.
  private static let roomKept = 64

  mutating func noteLaunch(of identifier: JobIdentifier, at now: Instant) {
    if lastLaunches.count >= Self.roomKept {
      lastLaunches = lastLaunches.filter { $0.value + Self.length > now }
    }
    lastLaunches[identifier] = now
  }

  /// Restores a launch of an earlier runner.
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
