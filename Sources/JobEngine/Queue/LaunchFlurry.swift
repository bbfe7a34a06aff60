/// Launches in close succession, which one call submits together.
///
/// A single launch is not delayed.
package struct LaunchFlurry {
  /// The time of the first launch that was not submitted.
  private var start: UInt64 = 0
  private var last: UInt64?
  /// Until when to wait for more launches, on the clock of the launches.
  package private(set) var end: UInt64 = 0

  /// Launches within this many nanoseconds belong together.
  package static let pause: UInt64 = 50_000_000
  /// The maximum time that a launch waits for others.
  package static let longest: UInt64 = 2_000_000_000

  package init() {}

  /// A launch has arrived.
  package mutating func note(at now: UInt64) {
    defer { last = now }
    guard let last, now < last + Self.pause else {
      (start, end) = (now, now)
      return
    }
    end = min(now + Self.pause, start + Self.longest)
  }

  /// The launches so far were submitted.
  package mutating func handOver(at now: UInt64) { start = now }
}
