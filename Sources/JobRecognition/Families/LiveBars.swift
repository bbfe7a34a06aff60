import JobCore

/// The simultaneous bars of a program, as one share.
///
/// A bar is identified by its place, its total and its unit, not by its words. Simultaneous bars are summed,
/// including finished ones; if each finished bar advances an outer one by a step, they are shares of that.
struct LiveBars: Hashable, Sendable {
  /// One state of a bar.
  struct Sight: Hashable, Sendable {
    var row: Int
    /// Its description, digits and all.
    var words: [UInt8]
    var counts: ProgressCounts
    /// In milliseconds, as the bar itself tells.
    var elapsed: UInt64
  }

  private struct Bar: Hashable, Sendable {
    var sight: Sight
    /// Its first value.
    let first: UInt64
    /// Bars that existed when it began.
    let depth: Int
    var isOver = false
    /// The first one has made a step, which was its end if it is a part of that.
    var isCounted = false
    /// Others that have ended since it was seen last, and for how long they were at work.
    var passedBy = 0
    var passedFor: UInt64 = 0
  }

  /// More at the same time are no bars.
  private static let most = 64
  /// Milliseconds of others' work in which a bar that lives is drawn again.
  private static let timeout: UInt64 = 1_000
  /// A bar that joins beyond this share changes the sum.
  private static let begun = 0.05

  private var bars: [Bar] = []
  /// Bars that have ended beside the first one, and those of them that began beside it alone.
  private var ended = 0
  private var endedNext = 0
  /// The same, for bars whose step of the first bar has not come yet.
  private var late = 0
  private var lateNext = 0
  private var share = 0.0
  /// How often a bar went on after the first one had made the step that would have been its end.
  private var contradictions = 0
  /// Whether the first bar counted finished ones, up to its own end.
  private var wasNested = false
  /// How often part of the output was dropped while the first bar may have counted the others: steps of it, or
  /// ends of them, were not seen.
  private var gaps = 0
  /// Where the bars stand is unknown since then, until they are drawn again.
  private static let unknownRow = Int.min
  /// Groups of bars that were over when others began.
  private(set) var group = 0
  /// Whether a bar joined after work had been done: the number of further bars is unknown.
  private(set) var isOpen = false

  private var live: [Bar] { bars.filter { !$0.isOver } }
  /// The number of simultaneous bars.
  var width: Int { live.count }

  /// Reads the state of one bar; returns the counts of all of them.
  mutating func read(_ sight: Sight) -> ProgressCounts {
    if let index = index(of: sight) {
      if index == 0 { step(by: sight.counts.completed - bars[0].sight.counts.completed) }
      if bars[index].isCounted,
        sight.counts.completed > bars[index].sight.counts.completed, !sight.counts.isComplete
      {
        bars[index].isCounted = false
        contradictions += 1
      }
      bars[index].sight = sight
      bars[index].passedBy = 0
      bars[index].passedFor = 0
      if sight.counts.isComplete { end(index) }
    } else {
      begin(sight)
    }
    let counts = counts()
    if ended > 0 { wasNested = isNested || wasNested && bars.first?.isOver == true }
    share = counts.fraction
    return counts
  }

  private mutating func step(by count: UInt64) {
    guard count > 0 else { return }
    if late == 0, let only = bars.indices.dropFirst().first(where: { !bars[$0].isOver }),
      live.count == 2
    {
      bars[only].isCounted = true
    }
    late -= min(late, Int(clamping: count))
    lateNext -= min(lateNext, Int(clamping: count))
  }

  /// Part of the output was dropped.
  mutating func skip() {
    if bars.count > 1, isNested { gaps += 1 }
    for index in bars.indices { bars[index].sight.row = Self.unknownRow }
  }

  /// A line was printed in place of a bar: that bar, and those below it, move down.
  mutating func displace(_ row: Int) {
    // Since a part was dropped, one may stand there unseen.
    guard bars.contains(where: { [row, Self.unknownRow].contains($0.sight.row) }) else { return }
    for index in bars.indices where bars[index].sight.row >= row { bars[index].sight.row += 1 }
  }

  private func index(of sight: Sight) -> Int? {
    if let grown = bars.indices.first(where: { isRevised(bars[$0], sight) }) { return grown }
    let candidates = bars.indices.filter { index in
      let old = bars[index].sight
      return old.counts.total == sight.counts.total && old.counts.unit == sight.counts.unit
        && old.counts.completed <= sight.counts.completed && old.elapsed <= sight.elapsed
    }
    let lives = candidates.filter { !bars[$0].isOver }
    let named = lives.filter { bars[$0].sight.words == sight.words }
    if let same = named.first(where: { bars[$0].sight.row == sight.row }) { return same }
    if let named = named.first, named == lives.first || !sight.words.isEmpty, sight.elapsed > 0 {
      return named
    }
    // Where it stood is not known, so its name must do.
    let lost = named.filter { bars[$0].sight.row == Self.unknownRow }
    if let only = lost.first, lost.count == 1, !sight.words.isEmpty { return only }
    if let there = lives.first(where: { bars[$0].sight.row == sight.row }) { return there }
    // It is drawn once more after its end.
    if sight.counts.isComplete {
      let over = candidates.filter { bars[$0].isOver && bars[$0].sight.counts.isComplete }
      let same = over.last { bars[$0].sight.row == sight.row }
      if let same = same ?? (lives.isEmpty ? over.last : nil) { return same }
    }
    let unplaced = unplaced(for: sight)
    if !unplaced.isEmpty {
      // Of bars that are as far, the inner one, which moves more often.
      return unplaced.reversed().filter(candidates.contains).max {
        bars[$0].sight.counts.completed < bars[$1].sight.counts.completed
      }
    }
    // It has advanced, so a bar at the beginning is another one.
    guard sight.counts.completed > 0 else { return nil }
    return lives.max { bars[$0].sight.elapsed < bars[$1].sight.elapsed }
  }

  /// The bars that a sight may be of, while some of its total were not drawn again since a part was dropped.
  ///
  /// They begin with the same word; without any such bar, they are those that were not drawn again. An inner bar
  /// of the same total is not the outer one, however far that was.
  private func unplaced(for sight: Sight) -> [Int] {
    let all = bars.indices.filter { index in
      let old = bars[index].sight.counts
      return !bars[index].isOver && old.total == sight.counts.total
        && old.unit == sight.counts.unit
    }
    let lost = all.filter { bars[$0].sight.row == Self.unknownRow }
    guard !lost.isEmpty else { return [] }
    let word = sight.words.prefix { $0.isWordByte }
    let alike = all.filter { bars[$0].sight.words.prefix { $0.isWordByte } == word }
    return alike.isEmpty ? lost : alike
  }

  /// A bar with an estimated total continues with another total; one that begins anew is another bar.
  private func isRevised(_ bar: Bar, _ sight: Sight) -> Bool {
    let old = bar.sight
    return !bar.isOver && old.row == sight.row && old.words == sight.words
      && old.counts.total != sight.counts.total && old.counts.unit == sight.counts.unit
      && old.counts.completed > 0 && old.counts.completed <= sight.counts.completed
      && old.elapsed <= sight.elapsed && sight.elapsed > 0
  }

  private mutating func begin(_ sight: Sight) {
    // The old bar there was left early, or its end was dropped.
    let there = bars.indices.first { !bars[$0].isOver && bars[$0].sight.row == sight.row }
    // Of bars around each other, the inner one.
    let lost = bars.indices.last { !bars[$0].isOver && isReplaced(bars[$0], by: sight) }
    if let index = there ?? lost {
      end(index, isSeen: there != nil)
      if live.isEmpty, sight.counts.total == bars[index].sight.counts.total { bars = [] }
    }
    // A bar that is never drawn again while others come and go was left early, too.
    bars.removeAll { !$0.isOver && $0.passedBy >= 2 && $0.passedFor >= Self.timeout }
    if live.isEmpty || bars.count >= Self.most {
      if !bars.isEmpty { group += 1 }
      bars = []
      (ended, endedNext, late, lateNext) = (0, 0, 0, 0)
      (contradictions, gaps) = (0, 0)
      (isOpen, wasNested) = (false, false)
    } else if share >= Self.begun, !isNested {
      isOpen = true
    }
    bars.append(
      Bar(sight: sight, first: sight.counts.completed, depth: live.count))
    if sight.counts.isComplete { end(bars.count - 1) }
  }

  /// Whether a bar that was not drawn again since a part was dropped is over.
  private func isReplaced(_ bar: Bar, by sight: Sight) -> Bool {
    guard bar.sight.row == Self.unknownRow else { return false }
    let (old, new) = (bar.sight.counts, sight.counts)
    if old.total == new.total, old.unit == new.unit { return old.completed > new.completed }
    // The only bar was perhaps complete in what was dropped; should it be drawn again, there are two.
    return bars.count == 1 && share >= Self.begun && new.fraction < share
  }

  /// `isSeen`: not among the output that was dropped, where other bars may have been drawn again.
  private mutating func end(_ index: Int, isSeen: Bool = true) {
    guard !bars[index].isOver else { return }
    bars[index].isOver = true
    let bar = bars[index]
    if bar.depth > 0 {
      ended += 1
      if !bar.isCounted { late += 1 }
    }
    if bar.depth == 1 {
      endedNext += 1
      if !bar.isCounted { lateNext += 1 }
    }
    guard isSeen else { return }
    for other in bars.indices where !bars[other].isOver && other != index {
      bars[other].passedBy += 1
      bars[other].passedFor += bar.sight.elapsed
    }
  }

  /// The first bar's steps since its first state match the finished bars beside it.
  private var isNested: Bool {
    contradictions == 0 && (steps(matching: ended) || steps(matching: endedNext))
  }

  private func steps(matching count: Int) -> Bool {
    guard let outer = bars.first, !outer.isOver, outer.sight.counts.unit == .items else {
      return false
    }
    let steps = Int(clamping: outer.sight.counts.completed - outer.first)
    return abs(steps - count) <= 1 + gaps
  }

  private func counts() -> ProgressCounts {
    guard bars.count > 1, let outer = bars.first else {
      return bars.first?.sight.counts ?? ProgressCounts(completed: 0)
    }
    if outer.sight.counts.isComplete, wasNested { return outer.sight.counts }
    var share = isNested ? nested(outer) : sum(bars)
    // Before the first bar beside it has ended, a step of the first one proves nothing.
    if isNested, ended == 0 { share = min(share, sum(bars)) }
    return ProgressCounts(hundredths: UInt64(min(1, share) * Double(ProgressCounts.wholeShare)))
  }

  private func nested(_ outer: Bar) -> Double {
    let total = Double(max(1, outer.sight.counts.total))
    let inner = live.dropFirst().filter { !$0.isCounted }
    let beside = inner.reduce(Double(late)) { $0 + $1.sight.counts.fraction }
    // One is over before its step of the first bar comes; in each part that was dropped, another one.
    let within = Double(min(max(1, gaps), lateNext)) + chain(inner)
    let isBeside = steps(matching: ended)
    let isWithin = steps(matching: endedNext)
    let added = isBeside && isWithin ? min(beside, within) : isBeside ? beside : within
    return (Double(outer.sight.counts.completed) + added) / total
  }

  /// Bars of which each is a step of the one before.
  private func chain(_ bars: [Bar]) -> Double {
    bars.reversed().reduce(0) { inner, bar in
      let counts = bar.sight.counts
      guard counts.total > 0 else { return inner }
      return min(1, (Double(counts.completed) + inner) / Double(counts.total))
    }
  }

  private func sum(_ bars: [Bar]) -> Double {
    let units = Set(bars.map(\.sight.counts.unit))
    guard units.count == 1 else {
      return bars.map { $0.sight.counts.fraction }.reduce(0, +) / Double(bars.count)
    }
    let done = bars.reduce(0.0) { $0 + Double($1.sight.counts.completed) }
    let total = bars.reduce(0.0) { $0 + Double($1.sight.counts.total) }
    return total > 0 ? done / total : 0
  }
}
