/// When a count that does not change is worth a word.
package enum ProgressPause {
  private static let shortest = Interval.seconds(5)

  /// How long nothing has changed, when that is more than twice the usual and at least five seconds;
  /// `interval` is nil while what is usual is not known.
  package static func length(_ unchanged: Interval, interval: Interval?) -> Interval? {
    unchanged > max(shortest, (interval ?? .zero) * 2) ? unchanged : nil
  }
}
