/// A remaining time that a viewer counts down: for as long as the present step may take; then it stays until
/// there is news.
package struct Countdown: Hashable, Sendable {
  /// A step that should be nearly over does not count down to zero: this much stays, or a tenth.
  private static let minimumLeft = Interval.seconds(1)

  private let left: Interval
  private let from: Instant
  private var until: Instant

  /// `age`: how long ago at `now` the count changed; `interval`: how long it takes usually.
  package init(_ left: Interval, at now: Instant, age: Interval, interval: Interval) {
    self.left = left
    from = now
    let kept = min(interval / 10, Self.minimumLeft)
    until =
      now
      + Interval(
        nanoseconds: interval.nanoseconds - min(interval.nanoseconds, (age + kept).nanoseconds))
  }

  package func left(at now: Instant) -> Interval {
    let gone = min(now, until) - from
    return Interval(nanoseconds: left.nanoseconds - min(left.nanoseconds, gone.nanoseconds))
  }

  /// Whether it differs noticeably from the time computed at `now`: by more than a second or a twentieth.
  package func differs(from found: Interval, at now: Instant) -> Bool {
    let said = left(at: now)
    let distance = max(said, found).nanoseconds - min(said, found).nanoseconds
    return distance > max(1_000_000_000, said.nanoseconds / 20)
  }
}
