/// Launches that come one right after another: one call hands over all of them.
///
/// One that comes alone waits for nobody.
package struct LaunchFlurry {
  /// Since when the first waits that was not handed over.
  private var start: UInt64 = 0
  private var last: UInt64?
  /// Until when more of them are waited for, on the clock of the launches.
  package private(set) var end: UInt64 = 0

  /// What comes within so many nanoseconds belongs to what came before.
  package static let pause: UInt64 = 50_000_000
  /// However many come, nobody waits longer than this for others.
  package static let longest: UInt64 = 2_000_000_000

  package init() {}

  /// One has come.
  package mutating func note(at now: UInt64) {
    defer { last = now }
    guard let last, now < last + Self.pause else {
      (start, end) = (now, now)
      return
    }
    end = min(now + Self.pause, start + Self.longest)
  }

  /// Those that have come were handed over.
  package mutating func handOver(at now: UInt64) { start = now }
}
