/// The delay of a failed job's next attempt: 1 s, 2 s, 4 s and so on, never more than 5 min, each up to a
/// quarter shorter.
///
/// The quarter spreads out jobs that failed together (a server that was down), so that they are not retried
/// together. It depends only on the seed, the job and its failures: the same core with the same events gives
/// the same delays.
struct BackOff: Hashable, Sendable {
  /// Nil = the full delays.
  var seed: UInt64?

  private static let first = Interval.seconds(1)
  private static let longest = Interval.minutes(5)

  /// The delay after a failure; `failures` counts those before it.
  func delay(after failures: Int, of number: JobNumber) -> Interval {
    let full = min(BackOff.longest, BackOff.first * (1 << UInt64(min(max(0, failures), 20))))
    guard let seed else { return full }
    let draw = BackOff.mixed(
      seed ^ BackOff.mixed(number.value) ^ BackOff.mixed(~UInt64(clamping: failures)))
    // Whole milliseconds, as people read them.
    let quarter = full.milliseconds / 4
    return .milliseconds(full.milliseconds - draw % (quarter + 1))
  }

  /// The finaliser of SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number
  /// Generators, 2014): neighbouring numbers give unrelated ones.
  private static func mixed(_ number: UInt64) -> UInt64 {
    var bits = number &+ 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return bits ^ bits >> 31
  }
}
