import JobCore

/// The elapsed and the remaining time that a program prints on one line: `total: 57ms remaining: 5.65s`,
/// `elapsed 0:10, ETA 0:30`, `3 min elapsed, 9 min left`.
///
/// The share of the time is used without a count and a percentage.
struct TimeShare: Recogniser {
  let name = "elapsed and left"
  private var numbers = GrowingNumbers()

  private enum Label { case elapsed, left }

  var bar: Int { numbers.bar }
  var isMistaken: Bool { numbers.isMistaken }
  var beginning: Double? { numbers.beginning }

  mutating func beginRound() { numbers.beginRound() }

  mutating func skip() { numbers.skip() }

  mutating func read(_ line: OutputLine) -> ProgressCounts? {
    numbers.beginLine()
    guard line.isComplete || line.isRedrawn, let share = Self.share(line.words) else { return nil }
    let place = GrowingNumbers.Place(words: [], total: ProgressCounts.wholeShare)
    return numbers.read(share.completed, at: place) ? share : nil
  }

  /// Whether a line tells the remaining time, as only progress has one.
  static func tellsLeft(_ line: OutputLine) -> Bool { milliseconds(line.words, .left) != nil }

  private static func share(_ words: [Piece]) -> ProgressCounts? {
    guard words.contains(where: { label($0) == .left }),
      let elapsed = milliseconds(words, .elapsed), let left = milliseconds(words, .left)
    else { return nil }
    return ProgressCounts(part: elapsed, of: elapsed + left)
  }

  /// The time with a label before it, otherwise after it.
  private static func milliseconds(_ words: [Piece], _ wanted: Label) -> UInt64? {
    guard let place = words.firstIndex(where: { label($0) == wanted }) else { return nil }
    // `elapsed time`
    var next = place + 1
    if next < words.count, words[next].starts(with: "time") || words[next].equals("=") { next += 1 }
    let isBehind = words[place].last == UInt8(ascii: ",")
    if !isBehind, let time = time(words[next...].prefix(3)) { return time }
    // `3 min elapsed`; `0:30 to go`
    let end = place > 0 && words[place].starts(with: "go") ? place - 1 : place
    for count in [1, 2] where end >= count {
      if let time = time(words[(end - count)..<end]) { return time }
    }
    return nil
  }

  private static func label(_ word: Piece) -> Label? {
    let word = word.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "=") }
    let bare = word.drop { !$0.isLetter }.prefix { $0.isLetter }
    guard (2...9).contains(bare.count) else { return nil }
    switch GaugeWords.lowercase(bare) {
    case "elapsed", "spent", "total", "taken": return .elapsed
    case "remaining", "left", "eta", "go": return .left
    default: return nil
    }
  }

  /// `57ms`, `5.65s`, `12 min`, `1m 20s`, `0:01:02`; nil for other texts, including bare numbers.
  private static func time(_ words: ArraySlice<Piece>) -> UInt64? {
    guard let first = words.first?.withoutMarks else { return nil }
    if let clock = first.clockMilliseconds { return clock }
    var sum: UInt64?
    var number: UInt64?
    for word in words {
      let word = word.withoutMarks
      let digits = word.prefix { $0.isDigit || $0 == UInt8(ascii: ".") }
      if let waiting = number {
        guard let factor = factor(word) else { break }
        sum = (sum ?? 0) + waiting * factor / 100
        number = nil
      } else {
        guard let value = digits.hundredths, value < 1 << 40 else { break }
        if digits.endIndex == word.endIndex {
          number = value
        } else {
          guard let factor = factor(word[digits.endIndex...]) else { break }
          sum = (sum ?? 0) + value * factor / 100
        }
      }
    }
    return sum
  }

  /// Milliseconds of a unit.
  private static func factor(_ unit: Piece) -> UInt64? {
    switch GaugeWords.lowercase(unit) {
    case "ns", "us": 0
    case "ms": 1
    case "s", "sec", "secs", "second", "seconds": 1_000
    case "m", "min", "mins", "minute", "minutes": 60_000
    case "h", "hr", "hrs", "hour", "hours": 3_600_000
    case "d", "day", "days": 86_400_000
    default: nil
    }
  }
}

extension Piece {
  /// A word without surrounding brackets and commas.
  fileprivate var withoutMarks: Piece {
    var rest = drop { !$0.isDigit && !$0.isLetter }
    while let last = rest.last, !last.isDigit, !last.isLetter { rest = rest.dropLast() }
    return rest
  }
}
