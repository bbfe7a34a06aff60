import JobCore

/// tqdm's bar: `desc:  45%|####5     | 45/100 [00:04<00:05,  9.98it/s]`, or `45it [00:04, …]` where no
/// total is known.
///
/// Of nested bars the outer one was there first: the inner one is a share of its next step.
struct TqdmBar: Recogniser {
  let name = "tqdm"
  let isInner = true

  private struct Bar: Hashable, Sendable {
    /// Letters of its description.
    var words: [UInt8]
    var counts: ProgressCounts
    /// In milliseconds.
    var elapsed: UInt64

    /// Whether a later line is of the same bar, and not of one that began later.
    func isSame(as later: Bar) -> Bool {
      words == later.words && counts.total == later.counts.total
        && elapsed <= later.elapsed && counts.completed <= later.counts.completed
    }
  }

  private var outer: Bar?

  mutating func read(_ line: OutputLine) -> ProgressCounts? {
    guard let bar = bar(line.bytes[...]) ?? open(line) else { return nil }
    guard let outer, !outer.counts.isComplete, outer.counts.total > 0, !outer.isSame(as: bar) else {
      self.outer = bar
      return bar.counts
    }
    // The same one begins again after it was left early.
    if outer.words == bar.words, outer.counts.total == bar.counts.total, bar.counts.completed == 0 {
      self.outer = bar
      return bar.counts
    }
    guard bar.counts.total > 0 else { return nil }
    let share =
      (Double(outer.counts.completed) + bar.counts.fraction) / Double(outer.counts.total)
    return ProgressCounts(hundredths: UInt64(share * Double(ProgressCounts.wholeShare)))
  }

  private func bar(_ bytes: Piece) -> Bar? {
    guard let rest = bytes.after("%|"), let numbers = rest.after("|"),
      let count = numbers.before("[")?.split(separator: 0x20).last,
      let ratio = count.ratio({ $0.amount(step: 1000) }), let end = numbers.after("["),
      let time = end.before("<")?.clockMilliseconds
    else { return nil }
    let head = bytes[..<rest.startIndex].dropLast(2)
    return Bar(
      words: head.filter { $0.isLetter },
      counts: ProgressCounts(
        completed: min(ratio.completed, ratio.total), total: ratio.total,
        unit: end.contains("B/s") ? .bytes : .items),
      elapsed: time)
  }

  private func open(_ line: OutputLine) -> Bar? {
    let words = line.words
    guard words.count >= 2, words[words.count - 1].ends(with: "/s]"),
      let start = words.firstIndex(where: { $0.first == UInt8(ascii: "[") }), start > 0,
      words[start - 1].ends(with: "it"),
      let count = words[start - 1].dropLast(2).amount(step: 1000),
      let time = words[start].dropFirst().before(",")?.clockMilliseconds
    else { return nil }
    let head = line.bytes[..<words[start - 1].startIndex]
    return Bar(
      words: head.filter { $0.isLetter }, counts: ProgressCounts(completed: count), elapsed: time)
  }
}
