/// How long earlier runs of the same definition took, and the estimate for this one.
package struct EarlierRuns: Hashable, Sendable {
  /// The number of runs to load, the latest first.
  package static let wanted = 9

  private struct Run: Hashable {
    var seconds: Double
    var total: UInt64
    var unit: PageSample.Unit
  }

  private var runs: [Run] = []

  package init() {}

  /// Takes a run of `length` that did `total` units in the end; 0 = it did not count.
  package mutating func add(_ length: Interval, total: UInt64, unit: PageSample.Unit) {
    guard length > .zero else { return }
    runs.append(Run(seconds: Double(length.nanoseconds) / 1e9, total: total, unit: unit))
  }

  /// The median length, each run's scaled to as many units as this one has; nil without any.
  package func expected(total: UInt64, unit: PageSample.Unit) -> Interval? {
    let lengths = runs.map { run in
      let isComparable = run.total > 0 && total > 0 && run.unit == unit
      return isComparable ? run.seconds * Double(total) / Double(run.total) : run.seconds
    }.sorted()
    guard !lengths.isEmpty else { return nil }
    let middle = lengths.count / 2
    let median =
      lengths.count % 2 == 1 ? lengths[middle] : (lengths[middle - 1] + lengths[middle]) / 2
    return .milliseconds(UInt64(min(median, 3e9) * 1000))
  }
}
