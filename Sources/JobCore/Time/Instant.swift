/// A point on the machine's awake clock (`CLOCK_MONOTONIC`), in nanoseconds since boot.
///
/// It stops while the machine is suspended, so a closed laptop expires nothing. It is invalid after a reboot
/// and never shown; clients use wall time.
package struct Instant: Hashable, Comparable, Sendable {
  package var nanoseconds: UInt64

  package init(nanoseconds: UInt64) {
    self.nanoseconds = nanoseconds
  }

  package static func < (left: Instant, right: Instant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// The instant `span` later, held at the ends of the clock instead of trapping.
  package static func + (instant: Instant, span: Interval) -> Instant {
    let (sum, overflow) = instant.nanoseconds.addingReportingOverflow(span.nanoseconds)
    return Instant(nanoseconds: overflow ? .max : sum)
  }

  /// The time from `earlier` to `later`; zero when the order is the other way round.
  package static func - (later: Instant, earlier: Instant) -> Interval {
    Interval(
      nanoseconds: later.nanoseconds > earlier.nanoseconds
        ? later.nanoseconds - earlier.nanoseconds : 0)
  }
}

/// A length of awake time in whole nanoseconds, never negative; about 584 years at most.
///
/// Swift's `Duration` is 128 bits wide and signed; a core with a hundred thousand jobs has no use
/// for either.
package struct Interval: Hashable, Comparable, Sendable {
  package var nanoseconds: UInt64

  package init(nanoseconds: UInt64) {
    self.nanoseconds = nanoseconds
  }

  package static let zero = Interval(nanoseconds: 0)

  package static func microseconds(_ count: UInt64) -> Interval {
    Interval(nanoseconds: count.multipliedHeld(by: 1_000))
  }

  package static func milliseconds(_ count: UInt64) -> Interval {
    Interval(nanoseconds: count.multipliedHeld(by: 1_000_000))
  }

  package static func seconds(_ count: UInt64) -> Interval {
    Interval(nanoseconds: count.multipliedHeld(by: 1_000_000_000))
  }

  package static func minutes(_ count: UInt64) -> Interval {
    .seconds(count.multipliedHeld(by: 60))
  }

  package static func days(_ count: UInt64) -> Interval {
    .minutes(count.multipliedHeld(by: 24 * 60))
  }

  /// Whole milliseconds, rounded down.
  package var milliseconds: UInt64 { nanoseconds / 1_000_000 }

  package static func < (left: Interval, right: Interval) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  package static func + (left: Interval, right: Interval) -> Interval {
    let (sum, overflow) = left.nanoseconds.addingReportingOverflow(right.nanoseconds)
    return Interval(nanoseconds: overflow ? .max : sum)
  }

  /// The difference to `other`, at least zero.
  package func less(_ other: Interval) -> Interval {
    Interval(nanoseconds: nanoseconds - min(nanoseconds, other.nanoseconds))
  }

  package static func * (span: Interval, factor: UInt64) -> Interval {
    Interval(nanoseconds: span.nanoseconds.multipliedHeld(by: factor))
  }

  package static func / (span: Interval, divisor: UInt64) -> Interval {
    Interval(nanoseconds: span.nanoseconds / divisor)
  }
}

extension UInt64 {
  /// The product, held at the largest value instead of trapping.
  fileprivate func multipliedHeld(by factor: UInt64) -> UInt64 {
    let (product, overflow) = multipliedReportingOverflow(by: factor)
    return overflow ? .max : product
  }
}
