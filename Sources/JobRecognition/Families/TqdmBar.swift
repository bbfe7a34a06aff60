import JobCore

/// tqdm's bar: `desc:  45%|####5     | 45/100 [00:04<00:05,  9.98it/s]`, or `45it [00:04, …]` without a total.
///
/// An inner nested bar is a share of the outer one's next step; simultaneous bars are summed.
struct TqdmBar: Recogniser {
  let name = "tqdm"
  let isInner = true
  private var bars = LiveBars()

  var bar: Int { bars.group }
  var part: String? { bars.isOpen ? "\(bars.width) at once" : nil }

  mutating func skip() { bars.skip() }

  mutating func read(_ line: OutputLine) -> ProgressCounts? {
    if let sight = bar(line) { return bars.read(sight) }
    if line.isComplete, bars.width > 0, line.bytes.contains(where: { $0 != 0x20 }) {
      bars.displace(line.row)
    }
    return bars.width == 0 ? open(line) : nil
  }

  private func bar(_ line: OutputLine) -> LiveBars.Sight? {
    let bytes = line.bytes[...]
    // With a blank between in some programs' own format.
    guard let rest = bytes.after("%|") ?? bytes.after("% |"), let numbers = rest.after("|"),
      let count = numbers.before("[")?.split(separator: 0x20).last,
      let ratio = count.ratio({ $0.amount(step: 1000) }), let end = numbers.after("["),
      let time = end.before("<")?.clockMilliseconds
    else { return nil }
    var head = bytes[..<rest.startIndex].dropLast()
    while let last = head.last, last.isDigit || " .%".utf8.contains(last) { head = head.dropLast() }
    return LiveBars.Sight(
      row: line.row, words: Array(head),
      counts: ProgressCounts(
        completed: min(ratio.completed, ratio.total), total: ratio.total,
        unit: end.contains("B/s") ? .bytes : .items),
      elapsed: time)
  }

  private func open(_ line: OutputLine) -> ProgressCounts? {
    let words = line.words
    guard words.count >= 2, words[words.count - 1].ends(with: "/s]"),
      let start = words.firstIndex(where: { $0.first == UInt8(ascii: "[") }), start > 0,
      words[start - 1].ends(with: "it"),
      let count = words[start - 1].dropLast(2).amount(step: 1000),
      words[start].dropFirst().before(",")?.clockMilliseconds != nil
    else { return nil }
    return ProgressCounts(completed: count)
  }
}
