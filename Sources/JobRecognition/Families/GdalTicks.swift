/// gdal's line that grows: `0...10...20...30` up to `100 - done.`; each dot is a fortieth.
struct GdalTicks: Recogniser {
  let name = "gdal"
  let isInner = true

  func read(_ line: OutputLine) -> ProgressCounts? {
    let bytes = line.trimmed
    guard bytes.starts(with: "0..") else { return nil }
    let ticks = bytes.prefix { $0.isDigit || $0 == UInt8(ascii: ".") }
    guard let last = ticks.split(separator: UInt8(ascii: ".")).last,
      let number = last.wholeNumber, number <= 100, number % 10 == 0,
      line.isComplete == false || ticks.count > 3
    else { return nil }
    let dots = ticks.distance(from: last.endIndex, to: ticks.endIndex)
    return ProgressCounts(hundredths: number * 100 + UInt64(min(dots, 3)) * 250)
  }
}
