import JobCore

/// tqdm's bar: `desc:  45%|####5     | 45/100 [00:04<00:05,  9.98it/s]`, or `45it [00:04, …]` where no
/// total is known.
///
/// Of nested bars the outer one counts: it is the one that has run longest.
struct TqdmBar: Recogniser {
  let name = "tqdm"
  /// Of the bar that is shown, in milliseconds.
  private var elapsed: UInt64 = 0
  private var isComplete = true

  mutating func take(_ line: OutputLine) -> ProgressCounts? {
    guard let (counts, time) = bar(line.bytes[...]) ?? open(line.words) else { return nil }
    // An inner bar began later. One after the other, each begins when the last is complete.
    guard time >= elapsed || isComplete else { return nil }
    if time == elapsed, !isComplete, counts.total != total { return nil }
    elapsed = time
    total = counts.total
    isComplete = counts.isComplete
    return counts
  }

  private var total: UInt64 = 0

  private func bar(_ bytes: Piece) -> (ProgressCounts, UInt64)? {
    guard let rest = bytes.after("%|"), let numbers = rest.after("|"),
      let count = numbers.before("[")?.split(separator: 0x20).last,
      let ratio = count.ratio({ $0.amount(step: 1000) }), let end = numbers.after("[")
    else { return nil }
    guard let time = end.before("<")?.clockMilliseconds else { return nil }
    return (
      ProgressCounts(
        completed: min(ratio.completed, ratio.total), total: ratio.total,
        unit: end.contains("B/s") ? .bytes : .items), time
    )
  }

  private func open(_ words: [Piece]) -> (ProgressCounts, UInt64)? {
    guard words.count >= 2, words[words.count - 1].ends(with: "/s]"),
      let start = words.firstIndex(where: { $0.first == UInt8(ascii: "[") }), start > 0,
      words[start - 1].ends(with: "it"),
      let count = words[start - 1].dropLast(2).amount(step: 1000),
      let time = words[start].dropFirst().before(",")?.clockMilliseconds
    else { return nil }
    return (ProgressCounts(completed: count), time)
  }
}
