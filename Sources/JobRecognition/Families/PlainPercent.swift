/// Any percentage that is repeated and grows: git, installers, scripts.
///
/// `54%`, `54.2 %`, `(54.03/100%)`, `54 percent`. Several on a line are measures, unless the line is
/// written over: then the first that is no gauge counts.
struct PlainPercent: Recogniser {
  let name = "percentage"
  let isInner = true
  private var numbers = GrowingNumbers()

  var bar: Int { numbers.bar }
  /// Shares of unknown amounts have no sum.
  var part: String? {
    let width = numbers.chosen?.row == nil ? 1 : numbers.together.count
    return width > 1 ? "\(width) at once" : nil
  }
  var isMistaken: Bool { numbers.isMistaken }
  var beginning: Double? { numbers.beginning }
  var isPromising: Bool { numbers.isPromising }

  mutating func beginRound() {
    numbers.beginRound()
  }

  mutating func skip() {
    numbers.skip()
  }

  mutating func read(_ line: OutputLine) -> ProgressCounts? {
    numbers.beginLine()
    let shares = Self.shares(line.bytes[...])
    guard shares.count == 1 || line.isRedrawn else { return nil }
    for (number, found) in shares.enumerated() where !found.isGauge {
      let place = GrowingNumbers.Place(
        after: found.before, total: ProgressCounts.wholeShare, on: line, number: number)
      numbers.keep(found.share, total: place.total, on: line, number: number)
      // In brackets, or with a time beside it, it is progress of any subject.
      let subject = found.isBracketed || found.isTimed ? 0 : line.subject
      if line.isLeft, !numbers.isLast(found.share, at: place, looks: found.looks) { continue }
      if !numbers.isWhole(line, at: place, looks: found.looks) {
        numbers.meet(found.share, at: place)
        continue
      }
      if numbers.read(
        found.share, at: place, looks: found.looks, subject: subject,
        isLikely: TimeShare.tellsLeft(line))
      {
        return ProgressCounts(hundredths: found.share)
      }
    }
    return nil
  }

  private struct Share {
    var share: UInt64
    var before: Piece
    /// The letters on one side of it, which stay when the words of a bar change.
    var looks: [UInt8]
    var isGauge: Bool
    var isBracketed: Bool
    /// `45% 0:00:12`: a time follows.
    var isTimed: Bool
  }

  private static func shares(_ bytes: Piece) -> [Share] {
    var found: [Share] = []
    var place = bytes.startIndex
    while found.count < 4, let (end, length) = sign(in: bytes[place...]) {
      place = end + length
      if let stated = stated(after: end, in: bytes) {
        found.append(stated)
      } else if let start = number(before: end, in: bytes), let share = share(bytes[start..<end]) {
        let (head, tail) = (bytes[..<start], bytes[place...])
        let isBracketed =
          head.withoutBlanksAtEnd.last == UInt8(ascii: "[") && tail.first == UInt8(ascii: "]")
        found.append(
          Share(
            share: share, before: head, looks: GrowingNumbers.looks(head, tail),
            isGauge: GaugeWords.surround(head, tail),
            isBracketed: isBracketed,
            isTimed: (tail.split(separator: 0x20).first ?? []).clockMilliseconds != nil))
      }
    }
    return found
  }

  /// `percentage: 45`, at the end of its line or before a blank.
  private static func stated(after start: Int, in bytes: Piece) -> Share? {
    guard bytes[start...].starts(with: "percentage:") else { return nil }
    let rest = bytes[start...].dropFirst(11).trimmed
    let digits = rest.prefix { $0.isDigit || $0 == UInt8(ascii: ".") }
    guard digits.endIndex == bytes.endIndex || bytes[digits.endIndex] == 0x20,
      let share = share(digits)
    else { return nil }
    let head = bytes[..<start]
    return Share(
      share: share, before: head, looks: GrowingNumbers.looks(head, bytes[digits.endIndex...]),
      isGauge: false, isBracketed: false, isTimed: false)
  }

  /// Where the next `%` or `percent` begins, and how long it is.
  private static func sign(in bytes: Piece) -> (Int, Int)? {
    bytes.indices.lazy.compactMap { place in
      if bytes[place] == UInt8(ascii: "%") { return (place, 1) }
      guard bytes[place] == UInt8(ascii: "p") else { return nil }
      return bytes[place...].starts(with: "percent") ? (place, 7) : nil
    }.first
  }

  /// The start of the number before a sign; nil without one, or if it is not a share (`-5%`, `x86%`).
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
