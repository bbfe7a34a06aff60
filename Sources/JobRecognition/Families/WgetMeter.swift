import JobCore

/// wget's bar (`big  32%[=====>   ]  1.86M  1019KB/s`) and its dots (`  50K ..........  1% 95.2M 0s`).
///
/// The bar has the amount beside it; the size is on the `Length:` line before.
struct WgetMeter: Recogniser {
  let name = "wget"
  let isInner = true
  private var length: UInt64?

  mutating func read(_ line: OutputLine) -> ProgressCounts? {
    if line.bytes[...].starts(with: "Length: ") {
      length = line.words.dropFirst().first?.wholeNumber
      return nil
    }
    return bar(line.bytes[...]) ?? dots(line.words)
  }

  private func bar(_ bytes: Piece) -> ProgressCounts? {
    guard let rest = bytes.after("%["), let close = rest.firstIndex(of: UInt8(ascii: "]")),
      let share = bytes[..<rest.startIndex].dropLast().split(separator: 0x20).last?.percent,
      rest[..<close].allSatisfy(Self.isBar)
    else { return openBar(bytes) }
    guard let length, let size = Self.size(rest[(close + 1)...]) else {
      return ProgressCounts(hundredths: share)
    }
    let completed = share == ProgressCounts.wholeShare ? length : min(size, length)
    return ProgressCounts(completed: completed, total: length, unit: .bytes)
  }

  /// Without a length: a sign that moves to and fro.
  private func openBar(_ bytes: Piece) -> ProgressCounts? {
    guard let rest = bytes.after("<=>"), let close = rest.firstIndex(of: UInt8(ascii: "]")),
      let size = Self.size(rest[(close + 1)...])
    else { return nil }
    return ProgressCounts(completed: size, unit: .bytes)
  }

  private func dots(_ words: [Piece]) -> ProgressCounts? {
    guard words.count >= 3, words[0].last == UInt8(ascii: "K"),
      words[0].dropLast().wholeNumber != nil,
      words[1].allSatisfy({ $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") })
    else { return nil }
    return words.lazy.compactMap(\.percent).first.map { ProgressCounts(hundredths: $0) }
  }

  private static func size(_ bytes: Piece) -> UInt64? {
    bytes.split(separator: 0x20).first?.amount(step: 1024)
  }

  private static func isBar(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "=") || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "+")
      || byte == 0x20
  }
}
