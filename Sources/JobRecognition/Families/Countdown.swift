import JobCore

/// The number of remaining items, out of the first such number: `Left: 12`, `12 files remaining`, `12 to go`.
///
/// Items done before the first line are unknown, so the progress is never overestimated. A number that grows
/// once is a queue's length.
struct Countdown: Recogniser {
  let name = "left"
  private var first: UInt64 = 0
  private var last: UInt64 = 0
  private var falls = 0
  private var isQueue = false
  /// The number on the last line was larger than the one before: nothing is counted down.
  private(set) var isMistaken = false
  private static let enoughFalls = 3
  private static let minimumFirst: UInt64 = 4

  mutating func skip() { isQueue = isQueue || falls > 0 && falls < Self.enoughFalls }

  mutating func read(_ line: OutputLine) -> ProgressCounts? {
    isMistaken = false
    guard !isQueue, line.isComplete || line.isRedrawn, let left = Self.left(line.words) else {
      return nil
    }
    if first == 0 {
      first = left
    } else if left > last {
      isQueue = true
      isMistaken = true
    } else if left < last {
      falls += 1
    }
    last = left
    guard !isQueue, falls >= Self.enoughFalls, first >= Self.minimumFirst else { return nil }
    return ProgressCounts(completed: first - left, total: first)
  }

  private static func left(_ words: [Piece]) -> UInt64? {
    for (place, word) in words.enumerated() {
      let bare = word.drop { !$0.isLetter }.prefix { $0.isLetter }
      guard (2...9).contains(bare.count) else { continue }
      switch GaugeWords.lowercase(bare) {
      case "left", "remaining": break
      case "go" where place > 0 && words[place - 1].equals("to"): break
      default: continue
      }
      // `Left: 12`, `remaining=12`
      if bare.endIndex < word.endIndex,
        word[bare.endIndex] == UInt8(ascii: ":") || word[bare.endIndex] == UInt8(ascii: "=")
      {
        let value = word[(bare.endIndex + 1)...]
        let number = value.isEmpty && place + 1 < words.count ? words[place + 1] : value
        let next = words.dropFirst(value.isEmpty ? place + 2 : place + 1).first
        return isThings(next) ? number.withoutComma.wholeNumber : nil
      }
      // `12 left`, `12 files remaining`, `12 to go`
      let end = bare.count == 2 ? place - 1 : place
      if end >= 1, let number = words[end - 1].wholeNumber { return number }
      if end >= 2, isThings(words[end - 1]) { return words[end - 2].wholeNumber }
      return nil
    }
    return nil
  }

  /// Whether the remaining amount counts items, not time or bytes.
  private static func isThings(_ word: Piece?) -> Bool {
    guard let word else { return true }
    let name = GaugeWords.lowercase(word.prefix { $0.isLetter })
    return !measures.contains(name)
  }

  private static let measures: Set<String> = [
    "attempts", "b", "bytes", "d", "day", "days", "gb", "gib", "h", "hour", "hours", "kb", "kib",
    "m", "mb", "mib", "min", "mins", "minute", "minutes", "ms", "retries", "s", "sec", "second",
    "seconds", "secs", "slots", "tries",
  ]
}

extension Piece {
  fileprivate var withoutComma: Piece { last == UInt8(ascii: ",") ? dropLast() : self }
}
