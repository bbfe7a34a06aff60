/// Any percentage that is repeated and grows: git, installers, scripts.
///
/// `54%`, `54.2 %`, `(54.03/100%)`, `54 percent`; the first on a line that is not a quality.
struct PlainPercent: Recogniser {
  let name = "percentage"
  let isInner = true
  private var numbers = GrowingNumbers()

  mutating func beginRound() {
    numbers.beginRound()
  }

  mutating func read(_ line: OutputLine) -> ProgressCounts? {
    for (share, prefix) in Self.shares(line.bytes[...]) {
      let place = GrowingNumbers.Place(after: prefix, total: ProgressCounts.wholeShare)
      if numbers.read(share, at: place) { return ProgressCounts(hundredths: share) }
    }
    return nil
  }

  /// The shares of a line, each with what stands before it.
  private static func shares(_ bytes: Piece) -> [(UInt64, Piece)] {
    var found: [(UInt64, Piece)] = []
    var place = bytes.startIndex
    while found.count < 4, let (end, length) = sign(in: bytes[place...]) {
      place = end + length
      if let start = number(before: end, in: bytes), let share = share(bytes[start..<end]),
        !QualityNames.surround(bytes[..<start], bytes[place...])
      {
        found.append((share, bytes[..<start]))
      }
    }
    return found
  }

  /// Where the next `%` or `percent` begins, and how long it is.
  private static func sign(in bytes: Piece) -> (Int, Int)? {
    bytes.indices.lazy.compactMap { place in
      if bytes[place] == UInt8(ascii: "%") { return (place, 1) }
      guard bytes[place] == UInt8(ascii: "p") else { return nil }
      return bytes[place...].starts(with: "percent") ? (place, 7) : nil
    }.first
  }

  /// Where the number before a sign begins; nil where there is none, or it is no share (`-5%`, `x86%`).
  private static func number(before end: Int, in bytes: Piece) -> Int? {
    let head = bytes[..<end].withoutBlanksAtEnd
    let start = head.lastIndex { !$0.isDigit && $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "/") }
    let first = start.map { $0 + 1 } ?? bytes.startIndex
    guard first < head.endIndex, head[first].isDigit else { return nil }
    guard let start else { return first }
    let byte = bytes[start]
    let joins =
      byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "_")
      || byte.isLetter
    return joins ? nil : first
  }

  /// `54.03` or, as qemu-img writes, `54.03/100`.
  private static func share(_ digits: Piece) -> UInt64? {
    let parts = digits.withoutBlanksAtEnd.split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count == 1 || (parts.count == 2 && parts[1].equals("100")),
      let share = parts[0].hundredths, share <= ProgressCounts.wholeShare
    else { return nil }
    return share
  }
}
