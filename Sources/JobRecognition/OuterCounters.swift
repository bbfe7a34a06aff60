import JobCore

/// Counters of repetitions around a bar: `epoch 3/10`, `pass 2/3`, `frame 7 of 250`, `Step 4/9`.
///
/// A bar inside one of them is a share of one repetition: (e − 1 + inner) / N. Counters may be nested,
/// the coarser ones outside: `epoch 3/10 step 45/100`.
struct OuterCounters: Hashable, Sendable {
  private struct Level: Hashable, Sendable {
    var word: String
    /// Higher is coarser.
    var rank: Int
    var number: UInt64
    var total: UInt64
    /// Repetitions that were over when this one began.
    var start: UInt64
    /// Repetitions that are over.
    var done: UInt64
    var growths = 0
    var countsFromZero = false

    /// A bar stands beside it.
    var hasBar = false
    /// Its total may be the number of the last one, counted from 0: `Epoch 0/3 ━━━╸` is the first of four.
    var mayNameLast = false

    var repetitions: UInt64 { countsFromZero && hasBar && mayNameLast ? total + 1 : total }
  }

  private static let ranks: [String: Int] = [
    "cycle": 3, "disc": 3, "epoch": 3, "fold": 3, "part": 3, "pass": 3, "phase": 3, "round": 3,
    "stage": 3,
    "task": 3, "block": 2, "chapter": 2, "clip": 2, "file": 2, "frame": 2, "image": 2, "item": 2,
    "job": 2,
    "layer": 2,
    "package": 2, "target": 2, "track": 2, "video": 2, "batch": 1, "iter": 1, "iteration": 1,
    "step": 1,
  ]

  /// The coarser first.
  private var levels: [Level] = []
  /// Totals in the command.
  private var told: ToldTotals
  /// A repetition has begun since the inner bar was last heard.
  private(set) var hasMoved = false
  /// The share of the bar that stands beside the counter; nil without one in the present repetition.
  private var own: Double?

  init(told: ToldTotals = ToldTotals()) {
    self.told = told
  }

  /// Their names: `epoch`, or `epoch, step`.
  var name: String { levels.map(\.word).joined(separator: ", ") }
  var isEmpty: Bool { levels.isEmpty }

  /// Whether a count is one of a repetition.
  static func isOuter(_ pair: CountPair) -> Bool {
    pair.unit == .items && word(before: pair) != nil
  }

  /// The repetition at the beginning of a line without its total, one word before it at most: `Epoch 3:`,
  /// `Fra:3`, `Train Epoch: 2`.
  static func uncounted(_ line: OutputLine) -> String? {
    line.saidWords.prefix(2).lazy.compactMap { uncounted(line.bytes[$0.startIndex...]) }.first
  }

  static func uncounted(_ bytes: Piece) -> String? {
    let bytes = bytes.drop { $0 == UInt8(ascii: "[") }
    let word = bytes.prefix { $0.isLetter }
    let name = GaugeWords.lowercase(word) == "fra" ? "frame" : GaugeWords.lowercase(word)
    guard ranks[name] != nil, word.endIndex < bytes.endIndex,
      bytes[word.endIndex] == 0x20 || bytes[word.endIndex] == UInt8(ascii: ":")
    else { return nil }
    let digits = bytes[(word.endIndex + 1)...].trimmed.prefix { $0.isDigit }
    // `File:   0%` and `Pass: 25.4%` are the share of all of it.
    let isShare =
      bytes[digits.endIndex...].drop { $0.isDigit || $0 == UInt8(ascii: ".") }.first
      == UInt8(ascii: "%")
    return (1...6).contains(digits.count) && !isShare
      ? "\(name) \(String(decoding: digits, as: UTF8.self))" : nil
  }

  /// Reads a line; whether it held a counter.
  mutating func read(_ line: OutputLine) -> Bool {
    var found = false
    told.hear(line)
    for pair in line.pairs where pair.unit == .items {
      guard let word = Self.word(before: pair), let rank = Self.ranks[word] else { continue }
      // A title before tqdm's bar is written by the program's author, and most authors write the number of epochs.
      let isTitle = pair.after.trimmed.first == UInt8(ascii: ":")
      let mayNameLast = word == "epoch" && !isTitle && told.total(of: word) != pair.total
      read(pair.completed, of: pair.total, word, rank, mayNameLast: mayNameLast)
      found = true
    }
    if !found, let counter = told.counter(line), let rank = Self.ranks[counter.word] {
      read(counter.number, of: counter.total, counter.word, rank, mayNameLast: false)
      found = true
    }
    return found
  }

  /// An inner bar was read, at `inner` (0…1); beside the counter, or on its own line.
  ///
  /// Returns how far the repetition is. Its own bar stands beside the counter: another one, such as that of a
  /// validation after the training, does not begin it again.
  mutating func settle(beside: Bool, inner: Double) -> Double {
    hasMoved = false
    guard beside, let last = levels.indices.last else { return own ?? inner }
    levels[last].done = levels[last].start
    levels[last].hasBar = true
    own = inner
    return inner
  }

  /// A line came without an inner bar: with results on it, it is the end of a repetition.
  ///
  /// A line that is overwritten belongs to a repetition that continues.
  mutating func noteAlone(_ line: OutputLine) {
    guard let last = levels.indices.last, line.isLeft || !line.isRedrawn,
      Self.isReport(line.bytes)
    else { return }
    levels[last].done = max(levels[last].done, min(levels[last].number, levels[last].total))
    if own != nil { own = 0 }
  }

  /// The total progress, with an inner bar at `inner` (0…1).
  func share(inner: Double) -> ProgressCounts {
    let share = levels.reversed().reduce(inner) { inner, level in
      let count = level.repetitions
      return (Double(min(level.done, count)) + (level.done < count ? inner : 0)) / Double(count)
    }
    return ProgressCounts(hundredths: UInt64(share * Double(ProgressCounts.wholeShare)))
  }

  /// One of two stages says little, because the first may take a moment.
  private static let fewest: UInt64 = 3

  /// Whether a share may be that of all repetitions: it lies between what was done when the present one began
  /// and when it ends.
  func admits(_ share: Double) -> Bool {
    let whole = Double(ProgressCounts.wholeShare)
    let least = Double(self.share(inner: 0).completed) / whole
    let most = Double(self.share(inner: 1).completed) / whole
    return share > least - Self.unsteadiness && share < most + Self.unsteadiness
  }

  /// A repetition is over.
  var hasDone: Bool { levels.contains { $0.done > 0 } }

  /// The tolerance for a share that is printed shortly before or after its repetition.
  private static let unsteadiness = 0.02

  /// The present repetition in words: `epoch 2`.
  var note: String? { levels.last.map { "\($0.word) \($0.number)" } }

  /// The counters' progress without an inner bar; nil before one has grown.
  var alone: ProgressCounts? {
    guard levels.contains(where: { $0.growths > 0 && $0.total >= Self.fewest }) else { return nil }
    guard levels.count == 1 else { return share(inner: 0) }
    return ProgressCounts(completed: levels[0].done, total: levels[0].total)
  }

  private mutating func read(
    _ number: UInt64, of total: UInt64, _ word: String, _ rank: Int, mayNameLast: Bool
  ) {
    let known = levels.first { $0.rank == rank && $0.word == word && $0.total == total }
    var level =
      known
      ?? Level(
        word: word, rank: rank, number: number, total: total, start: 0, done: 0,
        mayNameLast: mayNameLast)
    if let known, known.number == number { return }
    if known != nil, number > level.number { level.growths += 1 }
    level.countsFromZero = number == 0 || (level.countsFromZero && known != nil)
    level.number = number
    level.start = level.countsFromZero ? number : number - 1
    level.done = level.start
    // Inner counters begin again with it.
    levels.removeAll { $0.rank <= rank }
    levels.append(level)
    levels.sort { $0.rank > $1.rank }
    (hasMoved, own) = (true, nil)
  }

  private static func word(before pair: CountPair) -> String? {
    var rest = pair.before
    while let last = rest.last, !last.isWordByte, !last.isDigit, pair.before.count - rest.count < 4
    {
      rest = rest.dropLast()
    }
    var word = GaugeWords.lowercase(rest.suffix(rest.reversed().prefix { $0.isLetter }.count))
    if ranks[word] == nil, word.hasSuffix("s") { word.removeLast() }
    return ranks[word] == nil ? nil : word
  }

  /// Results have fractions: `loss 0.2`, `acc=0.93`, `12.4s`.
  private static func isReport(_ bytes: [UInt8]) -> Bool {
    bytes.indices.dropFirst().dropLast().contains {
      bytes[$0] == UInt8(ascii: ".") && bytes[$0 - 1].isDigit && bytes[$0 + 1].isDigit
    }
  }
}
