/// Any percentage that is repeated and grows: git, installers, scripts.
struct PlainPercent: Recogniser {
  let name = "percentage"
  private var numbers = GrowingNumbers()

  mutating func take(_ line: OutputLine) -> ProgressCounts? {
    guard let end = line.bytes.firstIndex(of: UInt8(ascii: "%")) else { return nil }
    let head = line.bytes[..<end]
    let start = (head.lastIndex { !$0.isDigit && $0 != UInt8(ascii: ".") } ?? -1) + 1
    guard let share = line.bytes[start...end].percent,
      start == 0 || !Self.joins(line.bytes[start - 1])
    else { return nil }
    let place = GrowingNumbers.Place(after: head[..<start], total: ProgressCounts.wholeShare)
    return numbers.take(share, at: place) ? ProgressCounts(hundredths: share) : nil
  }

  /// `-5%`, `x86%`: no share.
  private static func joins(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") || (byte < 0x80 && byte.isWordByte)
  }
}
