/// The number of repetitions in a command line: `--epochs 20`, `n_estimators=200`.
///
/// A program's counter without a total (`Epoch 3:`, `[12] train-rmse: 0.5`) gets its total from there.
struct ToldTotals: Hashable, Sendable {
  /// The repeated units, by the names of their options.
  private static let names: [String: String] = [
    "epochs": "epoch", "num_epochs": "epoch", "n_epochs": "epoch", "max_epochs": "epoch",
    "num_train_epochs": "epoch", "steps": "step", "num_steps": "step", "max_steps": "step",
    "n_estimators": "iter", "num_round": "iter", "num_rounds": "iter", "num_boost_round": "iter",
    "nrounds": "iter", "num_iterations": "iter", "num_iteration": "iter", "num_trees": "iter",
    "iterations": "iter", "n_iter": "iter", "niter": "iter", "iters": "iter", "rounds": "iter",
  ]
  /// Other words for the same.
  private static let words: [String: String] = [
    "epoch": "epoch", "step": "step", "iter": "iter", "iteration": "iter", "round": "iter",
  ]

  private var totals: [String: UInt64] = [:]
  /// The unit that the first column of a table counts.
  private var column: String?
  /// One of its counters was printed.
  private var hasCounted = false

  var isEmpty: Bool { totals.isEmpty }

  /// Repetitions that a program makes before those that it was told, and counts with them:
  /// `init_points=5, n_iter=30`, `--burn-in 100`.
  private static func comeBefore(_ name: String) -> Bool {
    name.split(separator: "_").contains { $0 == "init" || $0 == "initial" || $0 == "burn" }
  }

  /// Parses a command's words; a name with two numbers has no total.
  init(_ command: [String] = []) {
    var contradicted: Set<String> = []
    for (name, number) in command.flatMap(Self.assignments) + Self.flags(command) {
      if Self.comeBefore(name) { contradicted.insert("iter") }
      guard let word = Self.names[name] else { continue }
      if let known = totals[word], known != number { contradicted.insert(word) }
      totals[word] = number
    }
    for word in contradicted { totals[word] = nil }
  }

  /// A line announces another number of repetitions than the command: `optimizing for 250 iterations`.
  ///
  /// The counter that follows is that of a stage, of which only the program knows how many there are. Patience is no
  /// announcement: `until scores don't improve for 100 rounds`, `no gain for 5 epochs`, `warming up for 500 steps`.
  mutating func hear(_ line: OutputLine) {
    guard !totals.isEmpty, !hasCounted, line.isComplete else { return }
    let words = line.words.map { GaugeWords.lowercase($0.prefix { $0.isLetter }) }
    guard words.allSatisfy({ !Self.patience.contains($0) && !$0.hasPrefix("warm") }) else { return }
    for (index, word) in words.enumerated().dropLast(2) where word == "for" {
      let unit = words[index + 2]
      guard let number = line.words[index + 1].wholeNumber,
        let name = Self.words[unit.hasSuffix("s") ? String(unit.dropLast()) : unit],
        let total = totals[name], total != number
      else { continue }
      totals[name] = nil
    }
  }

  private static let patience: Set = [
    "don", "improve", "improved", "improvement", "improving", "no", "not", "patience", "until",
    "wait", "waiting", "without",
  ]

  /// The total of a repetition in the command; nil if it does not say.
  func total(of word: String) -> UInt64? { totals[word] }

  /// The counter at the beginning of a line, if its total is known: `Epoch 3: …`, `[12] …`, and the first
  /// column of a table with the heading `Iter`.
  mutating func counter(_ line: OutputLine) -> (word: String, number: UInt64, total: UInt64)? {
    guard !totals.isEmpty, line.isComplete else { return nil }
    let words = line.saidWords
    guard let first = words.first else { return nil }
    if first.first == UInt8(ascii: "["), let number = first.dropFirst().before("]")?.wholeNumber {
      return found("iter", number)
    }
    let letters = first.prefix { $0.isLetter }
    if let word = Self.words[GaugeWords.lowercase(letters)] {
      let rest = first[letters.endIndex...].drop { $0 == UInt8(ascii: ":") }
      let digits = rest.isEmpty ? words.dropFirst().first ?? [] : rest
      let number = digits.prefix { $0.isDigit }
      // A heading holds no numbers.
      if number.isEmpty, !line.bytes.contains(where: \.isDigit) { column = word }
      let end = number.endIndex < digits.endIndex ? digits[number.endIndex] : 0x20
      return end == UInt8(ascii: "/") || end == UInt8(ascii: ".")
        ? nil : found(word, number)
    }
    return column.flatMap { found($0, first) }
  }

  private mutating func found(_ word: String, _ digits: Piece) -> (String, UInt64, UInt64)? {
    digits.wholeNumber.flatMap { found(word, $0) }
  }

  private mutating func found(_ word: String, _ number: UInt64) -> (String, UInt64, UInt64)? {
    guard let total = totals[word], total > 1, number <= total else { return nil }
    hasCounted = true
    return (word, number, total)
  }

  /// Reads `--epochs 20`.
  private static func flags(_ command: [String]) -> [(String, UInt64)] {
    zip(command, command.dropFirst()).compactMap { flag, value in
      guard flag.hasPrefix("-"), let number = UInt64(value) else { return nil }
      return (name(flag[...]), number)
    }
  }

  /// `n_estimators=200`, also inside a program's text in the command.
  private static func assignments(_ text: String) -> [(String, UInt64)] {
    var found: [(String, UInt64)] = []
    var rest = Array(text.utf8)[...]
    while let sign = rest.firstIndex(of: UInt8(ascii: "=")) {
      let before = rest[..<sign].withoutBlanksAtEnd
      let name = before.suffix(
        before.reversed().prefix {
          $0.isLetter || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
        }.count)
      rest = rest[(sign + 1)...]
      if let number = rest.trimmed.prefix(while: \.isDigit).wholeNumber {
        found.append((Self.name(Substring(decoding: name, as: UTF8.self)), number))
      }
    }
    return found
  }

  private static func name(_ flag: Substring) -> String {
    String(flag.drop { $0 == "-" }).lowercased().split(separator: "-").joined(separator: "_")
  }
}
