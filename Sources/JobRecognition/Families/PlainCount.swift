import JobCore

/// Any count with the same total that is repeated and grows: `3/40`, `617,283 / 1,234,567`,
/// `5 MB of 10 MB`.
struct PlainCount: Recogniser {
  let name = "count"
  let isInner = true
  private var numbers = GrowingNumbers()
  /// Counts whose words change from line to line: only one that rises by one each time is accepted.
  private var steps: (last: UInt64, total: UInt64, rises: Int) = (0, 0, 0)
  /// Bars of such counts that were abandoned for another.
  private var stepBars = 0
  /// One of two is no progress worth a bar.
  private static let minimumTotal: UInt64 = 3
  private static let enoughRises = 3

  var bar: Int { numbers.bar + stepBars }
  /// Different kinds of items have no sum, and a bar may be a step of the one beside it.
  private(set) var part: String?
  var isMistaken: Bool { numbers.isMistaken }
  var beginning: Double? { numbers.beginning }

  mutating func beginRound() {
    numbers.beginRound()
  }

  mutating func skip() {
    numbers.skip()
  }

  mutating func read(_ line: OutputLine) -> ProgressCounts? {
    numbers.beginLine()
    let pairs = line.pairs.filter {
      $0.total >= Self.minimumTotal && !OuterCounters.isOuter($0)
        && !GaugeWords.surround($0.before, $0.after)
    }
    for (number, pair) in pairs.enumerated() {
      let place = GrowingNumbers.Place(
        after: pair.before, total: pair.total, on: line, number: number)
      numbers.keep(pair.completed, total: pair.total, on: line, number: number)
      let looks = GrowingNumbers.looks(pair.before, pair.after)
      if line.isLeft, !numbers.isLast(pair.completed, at: place, looks: looks) { continue }
      if !numbers.isWhole(line, at: place, looks: looks) {
        numbers.meet(pair.completed, at: place)
        continue
      }
      if numbers.read(
        pair.completed, at: place, looks: looks, steps: pair.unit == .items,
        isSure: SureSigns.confirm(pair, on: line))
      {
        let width = numbers.chosen?.row == nil || pair.unit == .bytes ? 1 : numbers.together.count
        part = width > 1 ? "\(width) at once" : nil
        return pair.unit == .bytes ? amounts(pair) : ProgressCounts(pair)
      }
    }
    guard line.isComplete, numbers.chosen == nil,
      let pair = pairs.first ?? SureSigns.numbered(line)
    else { return nil }
    guard rises(pair) else { return nil }
    part = nil
    return ProgressCounts(pair)
  }

  /// Amounts that grow in turns are summed, unless one of them contains all others.
  private func amounts(_ pair: CountPair) -> ProgressCounts {
    let all = numbers.together
    let total = all.reduce(0.0) { $0 + Double($1.total) }
    guard all.count > 1, total < 1e18, !all.contains(where: { Double($0.total) * 2 >= total * 0.9 })
    else { return ProgressCounts(pair) }
    return ProgressCounts(
      completed: all.reduce(0) { $0 + $1.number }, total: all.reduce(0) { $0 + $1.total },
      unit: .bytes)
  }

  private mutating func rises(_ pair: CountPair) -> Bool {
    guard pair.total == steps.total, pair.completed == steps.last + 1 else {
      let isSame = pair.total == steps.total && pair.completed == steps.last
      if !isSame {
        if steps.rises >= Self.enoughRises { stepBars += 1 }
        steps = (pair.completed, pair.total, 0)
      }
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
