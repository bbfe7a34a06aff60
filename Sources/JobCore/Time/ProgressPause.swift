/// When to mention that a count does not change.
package enum ProgressPause {
  private static let shortest = Interval.seconds(5)

  /// The time without a change, if it is more than twice the usual interval and at least five seconds;
  /// `interval` is nil while the usual interval is unknown.
  package static func length(_ unchanged: Interval, interval: Interval?) -> Interval? {
    unchanged > max(shortest, (interval ?? .zero) * 2) ? unchanged : nil
  }
}
