/// Signs that a number is certainly progress: a second statement on its line.
enum SureSigns {
  private static let words: Set<String> = [
    "complete", "completed", "done", "finished", "processed",
  ]

  /// `done 12 out of 40`, `12/40 done`, and a percentage that says the same as the count.
  static func confirm(_ pair: CountPair, on line: OutputLine) -> Bool {
    let before = pair.before.withoutBlanksAtEnd
    let word = before.suffix(before.reversed().prefix { $0.isLetter }.count)
    return words.contains(GaugeWords.lowercase(word)) || follow(pair.after)
      || agrees(pair, with: line.bytes[...])
  }

  /// Whether the next word states that this much is done.
  static func follow(_ rest: Piece) -> Bool {
    words.contains(GaugeWords.lowercase(rest.trimmed.prefix { $0.isLetter }))
  }

  /// Percent; amounts are often written in two digits.
  private static let rounding = 2.0

  private static func agrees(_ pair: CountPair, with bytes: Piece) -> Bool {
    let share = Double(pair.completed) / Double(pair.total) * 100
    var rest = bytes
    while let sign = rest.firstIndex(of: UInt8(ascii: "%")) {
      let digits = rest[..<sign].suffix(
        rest[..<sign].reversed().prefix { $0.isDigit || $0 == UInt8(ascii: ".") }.count)
      if let percent = digits.hundredths, abs(Double(percent) / 100 - share) < rounding {
        return true
      }
      rest = rest[(sign + 1)...]
    }
    return false
  }

  /// `3 40 page-03.png`: two numbers, and the name of the finished item, which contains the first number, too.
  static func numbered(_ line: OutputLine) -> CountPair? {
    guard line.words.count == 3, let completed = line.words[0].wholeNumber,
      let total = line.words[1].wholeNumber, completed <= total, total > 2
    else { return nil }
    let name = line.words[2]
    guard let end = name.lastIndex(where: \.isDigit) else { return nil }
    let digits = name[...end].suffix(name[...end].reversed().prefix { $0.isDigit }.count)
    guard digits.wholeNumber == completed else { return nil }
    return CountPair(completed: completed, total: total)
  }
}
