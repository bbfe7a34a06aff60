import JobCore

/// pip's bar (`━━━━━━━━╸━━━ 7.7/19.3 MB 8.2 MB/s eta 0:00:01`) and its `--progress-bar=raw`
/// (`Progress 1234 of 5678`).
struct PipBar: Recogniser {
  let name = "pip"
  let isInner = true

  func read(_ line: OutputLine) -> ProgressCounts? {
    let words = line.words
    return bar(words, line.bytes[...]) ?? (line.isComplete ? raw(words) : nil)
  }

  private func bar(_ words: [Piece], _ bytes: Piece) -> ProgressCounts? {
    guard bytes.contains("\u{2501}"),
      let place = words.firstIndex(where: { $0.contains(UInt8(ascii: "/")) }),
      place + 1 < words.count,
      let scale = (Array("1".utf8) + words[place + 1])[...].amount(step: 1000),
      let ratio = words[place].ratio({ $0.hundredths }), ratio.completed <= ratio.total,
      !ratio.total.multipliedReportingOverflow(by: scale).overflow
    else { return nil }
    return ProgressCounts(
      completed: ratio.completed * scale / 100, total: ratio.total * scale / 100, unit: .bytes)
  }

  private func raw(_ words: [Piece]) -> ProgressCounts? {
    guard words.count == 4, words[0].equals("Progress"), words[2].equals("of"),
      let completed = words[1].wholeNumber, let total = words[3].wholeNumber, completed <= total
    else { return nil }
    return ProgressCounts(completed: completed, total: total, unit: .bytes)
  }
}
