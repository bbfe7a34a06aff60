/// A line that grows: gdal's `0...10...20...30` up to `100 - done.`, in which each dot is a fortieth, and
/// `0%  ... 10%  ... 20%`.
struct GdalTicks: Recogniser {
  let name = "gdal"
  let isInner = true

  func read(_ line: OutputLine) -> ProgressCounts? {
    let bytes = line.trimmed
    if bytes.starts(with: "0% ") { return percents(line.words) }
    guard bytes.starts(with: "0..") else { return nil }
    let ticks = bytes.prefix { $0.isDigit || $0 == UInt8(ascii: ".") }
    guard let last = ticks.split(separator: UInt8(ascii: ".")).last,
      let number = last.wholeNumber, number <= 100, number % 10 == 0,
      line.isComplete == false || ticks.count > 3
    else { return nil }
    let dots = ticks.distance(from: last.endIndex, to: ticks.endIndex)
    return ProgressCounts(hundredths: number * 100 + UInt64(min(dots, 3)) * 250)
  }

  /// The last of several percentages in steps of ten, with nothing but dots between.
  private func percents(_ words: [Piece]) -> ProgressCounts? {
    var last: UInt64 = 0
    var steps = 0
    for word in words.dropFirst() where !word.allSatisfy({ $0 == UInt8(ascii: ".") }) {
      guard word.last == UInt8(ascii: "%"), let number = word.dropLast().wholeNumber,
        number == last + 10, number <= 100
      else { return nil }
      (last, steps) = (number, steps + 1)
    }
    return steps > 0 ? ProgressCounts(hundredths: last * 100) : nil
  }
}
