/// Any `n/m` or `n of m` with the same m that is repeated and grows.
struct PlainCount: Recogniser {
  let name = "count"
  private var numbers = GrowingNumbers()
  /// One of two is no progress worth a bar.
  private static let leastTotal: UInt64 = 3

  mutating func take(_ line: OutputLine) -> ProgressCounts? {
    for (counted, prefix) in Self.counts(line) where counted.total >= Self.leastTotal {
      let place = GrowingNumbers.Place(after: prefix, total: counted.total)
      if numbers.take(counted.completed, at: place) {
        return ProgressCounts(completed: counted.completed, total: counted.total)
      }
    }
    return nil
  }

  /// The first few pairs of a line, each with what stands before it.
  private static func counts(
    _ line: OutputLine
  ) -> [((completed: UInt64, total: UInt64), Piece)] {
    let words = line.words
    var found: [((completed: UInt64, total: UInt64), Piece)] = []
    for (index, word) in words.enumerated() where found.count < 4 {
      let prefix = line.bytes[..<word.startIndex]
      if let counted = bare(word).counted {
        found.append((counted, prefix))
      } else if word.equals("of"), index > 0, index + 1 < words.count,
        let completed = bare(words[index - 1]).wholeNumber,
        let total = bare(words[index + 1]).wholeNumber, completed <= total
      {
        found.append(((completed, total), line.bytes[..<words[index - 1].startIndex]))
      }
    }
    return found
  }

  /// Without brackets and punctuation around it.
  private static func bare(_ word: Piece) -> Piece {
    let isEdge: (UInt8) -> Bool = { !$0.isDigit && !$0.isWordByte && $0 != UInt8(ascii: "/") }
    let head = word.drop(while: isEdge)
    return head[..<((head.lastIndex { !isEdge($0) } ?? head.startIndex - 1) + 1)]
  }
}
