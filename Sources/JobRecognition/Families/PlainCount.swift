/// Any count with the same total that is repeated and grows: `3/40`, `617,283 / 1,234,567`,
/// `5 MB of 10 MB`.
struct PlainCount: Recogniser {
  let name = "count"
  let isInner = true
  private var numbers = GrowingNumbers()
  /// Counts whose words change from line to line: only one that rises by one each time is believed.
  private var steps: (last: UInt64, total: UInt64, rises: Int) = (0, 0, 0)
  /// One of two is no progress worth a bar.
  private static let minimumTotal: UInt64 = 3
  private static let enoughRises = 3

  mutating func beginRound() {
    numbers.beginRound()
  }

  mutating func read(_ line: OutputLine) -> ProgressCounts? {
    let pairs = CountPair.all(in: line.bytes[...]).filter {
      $0.total >= Self.minimumTotal && !OuterCounters.isOuter($0)
        && !QualityNames.surround($0.before, $0.after)
    }
    for pair in pairs {
      let place = GrowingNumbers.Place(after: pair.before, total: pair.total)
      if numbers.read(pair.completed, at: place) { return ProgressCounts(pair) }
    }
    guard line.isComplete, let pair = pairs.first, !numbers.hasChosen else { return nil }
    return rises(pair) ? ProgressCounts(pair) : nil
  }

  private mutating func rises(_ pair: CountPair) -> Bool {
    guard pair.total == steps.total, pair.completed == steps.last + 1 else {
      let isSame = pair.total == steps.total && pair.completed == steps.last
      if !isSame { steps = (pair.completed, pair.total, 0) }
      return isSame && steps.rises >= Self.enoughRises
    }
    steps = (pair.completed, pair.total, steps.rises + 1)
    return steps.rises >= Self.enoughRises
  }
}

extension ProgressCounts {
  init(_ pair: CountPair) {
    self.init(completed: pair.completed, total: pair.total, unit: pair.unit)
  }
}
