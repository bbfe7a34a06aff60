/// Numbers that may be progress: only those that are repeated in the same place and grow count.
///
/// `100% coverage` and `disk 93% full` appear once, a table of shares jumps up and down, a ratio has another
/// name beside it each time; progress begins near 0, is written at least three times in the same place, and
/// grows. A place that failed these tests once is ignored from then on.
struct GrowingNumbers: Hashable, Sendable {
  /// One place of a number: its place on the screen if lines are overwritten, otherwise the letters before it
  /// on its line; and its total.
  struct Place: Hashable, Sendable {
    var words: [UInt8]
    var total: UInt64
    /// Its row, or −1 for the lowest, which lines that are printed between move down; nil where lines
    /// follow each other.
    var row: Int?
    /// The word before the number, digits and all.
    var name: [UInt8] = []

    static func == (one: Place, other: Place) -> Bool {
      one.words == other.words && one.total == other.total && one.row == other.row
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(words)
      hasher.combine(total)
      hasher.combine(row)
    }
  }

  private struct FreshNumber: Hashable, Sendable {
    var place: Place
    var number: UInt64
  }

  private struct Row: Hashable, Sendable {
    let first: UInt64
    var last: UInt64
    var growths = 0
    /// Growths that are needed.
    var enough: Int
    /// Each growth must be like the number that it began with.
    var mustBeEven: Bool
    /// It fell without starting over, or counts different things: no progress.
    var isErratic = false
    var restarts = 0
    var looks: [UInt8] = []
    /// Its letters differ from line to line.
    var looksChange = false
    /// The subject of the line, and how often it has changed.
    var subject: Int
    var changes = 0
    var sightings = 1
    /// How often it grew after the chosen one had grown: from the second time on it works in turns with it.
    var turns = 0
    /// The line that last had it, and the largest distance of lines in between.
    var seen = 0
    var longestGap = 1
    var isBeside: Bool { turns >= 2 && growths >= enough && !isErratic }
    /// The lines that it was seen on first, and grew on last.
    let begun: Int
    var line: Int
  }

  /// Growths that make progress of a number.
  private let enough: Int
  /// Places that are watched; a log full of ratios does not make this grow.
  private static let most = 32
  /// The number of other growths during which an abandoned bar may rest.
  private static let toleratedGrowths = 8

  private var rows: [Place: Row] = [:]
  private(set) var chosen: Place?
  /// Growths of others since the chosen one grew, and the most that there ever were.
  private var silence = 0
  private var longestSilence = 0
  private var line = 0
  /// The last numbers on rows that were not overwritten yet, the newest at the end.
  private var fresh: [FreshNumber] = []
  private static let maximumFresh = 32
  private var isMidway = false
  /// Part of the output was dropped since the chosen number was seen: it may have ended there.
  private var hasGap = false
  /// The number that was left because of that; what takes its place is another bar.
  private var left: Place?
  /// The share of a number on the last line that stands where none stood before; nil without one.
  private(set) var beginning: Double?
  /// Bars that were left for another one.
  private(set) var bar = 0
  /// The chosen number proved not to be progress.
  private(set) var isMistaken = false

  init(enough: Int = 2) {
    self.enough = enough
  }

  /// Whether a number that began at its beginning may yet prove to be progress.
  var isPromising: Bool {
    rows.contains {
      $0.value.first <= $0.key.total / 10 && !$0.value.isErratic && $0.value.last < $0.key.total
    }
  }

  /// A repetition has begun: numbers may fall.
  mutating func beginRound() {
    for place in rows.keys { rows[place]?.last = 0 }
  }

  mutating func skip() { (isMidway, hasGap) = (true, true) }

  /// A number on a line that is not written over yet: when it is, as a row of a block that is drawn again,
  /// its place has been seen before.
  mutating func keep(_ number: UInt64, total: UInt64, on line: OutputLine, number index: Int) {
    guard line.isComplete, line.isLeft || !line.isRedrawn else { return }
    if fresh.count >= Self.maximumFresh { fresh.removeFirst(Self.maximumFresh / 2) }
    fresh.append(
      FreshNumber(place: Place(row: line.row, total: total, number: index), number: number))
  }

  /// The next line is read.
  mutating func beginLine() {
    line += 1
    isMistaken = false
    beginning = nil
  }

  /// Whether a line that is left where a bar was drawn is the last state of that bar: it looks like it.
  func isLast(_ number: UInt64, at place: Place, looks: [UInt8]) -> Bool {
    // A full count of the same total needs no further evidence.
    let isFull = number == place.total && place.total != ProgressCounts.wholeShare
    return rows[place].map {
      $0.last <= number && (isFull || $0.looks.dropFirst() == looks.dropFirst())
    } ?? false
  }

  /// Whether a line that has no end yet is more than a piece of one, which may lack the words that tell what
  /// its number is: it looks as it did before.
  func isWhole(_ line: OutputLine, at place: Place, looks: [UInt8]) -> Bool {
    guard line.mayGrow else { return true }
    guard let row = rows[place] else { return false }
    // A line of its own kind may have been continued before; a row that is written over has any kind.
    if !line.isRedrawn { return row.looks.starts(with: looks) }
    return row.looks == looks || row.looksChange && row.looks.first == looks.first
  }

  /// Reads one number; whether it is progress.
  ///
  /// `looks`: the letters beside it, which identify the last state of a bar; `subject`: the subject of its
  /// line, 0 if irrelevant; `steps`: the number counts items; `isSure`: its line is certainly about progress,
  /// so that one growth is enough; `isLikely`: it may begin anywhere.
  mutating func read(
    _ number: UInt64, at place: Place, looks: [UInt8] = [], subject: Int = 0,
    steps: Bool = false, isSure: @autoclosure () -> Bool = false,
    isLikely: @autoclosure () -> Bool = false
  ) -> Bool {
    defer {
      if let row = rows[place], row.sightings > 1, row.looks != looks {
        rows[place]?.looksChange = true
      }
      rows[place]?.looks = looks
    }
    guard var row = rows[place] ?? drawnBefore(place, number, subject, steps) else {
      meet(number, at: place)
      rows[place] = make(place, number, subject, steps)
      if let needed = isSure() ? 1 : isLikely() ? enough : nil {
        rows[place]?.enough = needed
        rows[place]?.mustBeEven = false
      }
      return false
    }
    row.sightings += 1
    if row.seen > 0 { row.longestGap = max(row.longestGap, line - row.seen) }
    row.seen = line
    if place == chosen { hasGap = false }
    if subject != row.subject { row.changes += 1 }
    row.subject = subject
    if row.changes > 1, row.changes * 3 > row.sightings { row.isErratic = true }
    if number > row.last {
      let growth = number - row.last
      if row.mustBeEven, row.growths < row.enough,
        growth < row.first / 4 * 3 || growth > row.first / 4 * 5
      {
        row.isErratic = true
      }
      // Step by step is surer than by leaps.
      let isStep = number == row.last + 1 && place.total < 1000
      row.growths += isStep && row.enough == enough ? enough : 1
      if place == chosen {
        longestSilence = max(longestSilence, silence)
        silence = 0
      } else if row.line != line, let first = chosen.flatMap({ rows[$0] }), first.line != line {
        silence += 1
        if first.line > row.line { row.turns += 1 }
      }
      row.line = line
    } else if number < row.last {
      let hadGrown = row.growths >= row.enough
      fall(&row, to: number, at: place)
      // A bar of an earlier phase begins again.
      if hadGrown, !row.isErratic, place != chosen { begin(number, at: place) }
    }
    row.last = number
    rows[place] = row
    return settle(place, row)
  }

  /// Sees a number that is not read yet.
  ///
  /// After a gap, a smaller share where none was before, where one begins again, or in the place of the chosen
  /// number, is perhaps the beginning of what comes next: the chosen number waits until it is seen again.
  mutating func meet(_ number: UInt64, at place: Place) {
    guard rows[place] == nil || place == chosen else { return }
    begin(number, at: place)
  }

  private mutating func begin(_ number: UInt64, at place: Place) {
    let share = Self.share(number, of: place)
    beginning = share
    guard hasGap, let chosen, let row = rows[chosen], share < Self.share(row.last, of: chosen)
    else { return }
    (self.chosen, left) = (nil, chosen)
    isMistaken = true
  }

  private static func share(_ number: UInt64, of place: Place) -> Double {
    Double(number) / Double(max(1, place.total))
  }

  private mutating func make(_ place: Place, _ number: UInt64, _ subject: Int, _ steps: Bool) -> Row
  {
    if rows.count >= Self.most {
      let kept = chosen
      rows = rows.filter { $0.key == kept || $0.value.isErratic }
      if rows.count >= Self.most { rows = rows.filter { $0.key == kept } }
    }
    var enough = enough
    var isEven = false
    if number > max(place.total / 10, steps ? Self.firstSteps : 0) {
      // It does not begin at its beginning: sure only where it is drawn over, or in even steps.
      if place.row == nil { enough += isMidway || steps ? 3 : 0 }
      isEven = place.row == nil && !isMidway && !steps
    }
    return Row(
      first: number, last: number, enough: enough, mustBeEven: isEven, subject: subject,
      begun: line,
      line: line)
  }

  /// A row that is drawn again for the first time, as it was when it was drawn first.
  private mutating func drawnBefore(
    _ place: Place, _ number: UInt64, _ subject: Int, _ steps: Bool
  ) -> Row? {
    guard place.row != nil, let old = fresh.last(where: { $0.place == place }), old.number <= number
    else { return nil }
    return make(place, old.number, subject, steps)
  }

  /// A count that begins so low begins at its beginning, however small the whole is.
  private static let firstSteps: UInt64 = 3

  /// Back to the start is a new round.
  private func fall(_ row: inout Row, to number: UInt64, at place: Place) {
    let isOver = row.last >= place.total / 10 * 9
    let isLow = number <= place.total / (row.restarts > 0 ? 2 : 5)
    if isOver, isLow, row.growths >= row.enough {
      row.restarts += 1
    } else if number > place.total / 10 || row.growths < row.enough {
      row.isErratic = row.isErratic || number > place.total / 100
    }
    row.growths = 0
  }

  private mutating func settle(_ place: Place, _ row: Row) -> Bool {
    if chosen == place {
      if row.isErratic {
        chosen = nil
        isMistaken = true
      }
      return !row.isErratic
    }
    guard row.growths >= row.enough, !row.isErratic else { return false }
    if let chosen, let first = rows[chosen] {
      let isLeft =
        row.restarts == 0 && silence > longestSilence * 3 + Self.toleratedGrowths
        && first.line < line
      // A number in the place of one with the same total replaces it.
      let isReplaced =
        place.row != nil && place.row == chosen.row && place.words == chosen.words
        && first.line < row.begun
      // Another place replaces the first one once that is complete, or abandoned.
      if first.last < chosen.total, !isLeft, !isReplaced { return false }
      if !row.isBeside { bar += 1 }
      rows[chosen]?.turns = row.isBeside ? 2 : 0
    } else if let left, left != place {
      bar += 1
    }
    (chosen, left) = (place, nil)
    (silence, longestSilence) = (0, 0)
    return true
  }
}

extension GrowingNumbers {
  /// The chosen number and those that grow in turns with it.
  ///
  /// Duplicates count once, and numbers that are no longer printed have ended.
  var together: [(number: UInt64, total: UInt64)] {
    guard let chosen, rows[chosen] != nil else { return [] }
    var found: [Place: (number: UInt64, total: UInt64)] = [:]
    for (place, row) in rows where place == chosen || row.isBeside || isAwaited(place, row) {
      let hasEnded = row.seen > 0 && line - row.seen > row.longestGap * 4
      let number = hasEnded && place != chosen ? place.total : row.last
      let same = Place(
        words: place.name.isEmpty ? place.words : place.name, total: place.total, row: place.row)
      found[same] = (max(number, found[same]?.number ?? 0), place.total)
    }
    return Array(found.values)
  }

  /// Whether it is drawn again and again and has not begun: the bar of what comes next.
  private func isAwaited(_ place: Place, _ row: Row) -> Bool {
    place.row != nil && row.last == 0 && row.sightings > 2 && line - row.seen <= row.longestGap
  }
}

extension GrowingNumbers {
  /// How a number looks by the text on its sides.
  ///
  /// The kind of character that follows it, and the letters after it or, without any, before it. Of a bar with
  /// words that change, the letters on one side stay, or at least that kind.
  static func looks(_ head: Piece, _ tail: Piece) -> [UInt8] {
    let letters = tail.letters
    let next = tail.trimmed.first.map { $0.isDigit ? 0x30 : $0.isLetter ? 0x41 : $0 } ?? 0
    return [next] + (letters.isEmpty ? head.letters : letters)
  }
}

extension GrowingNumbers.Place {
  /// The place of the `number`th of its kind on a row.
  init(row: Int, total: UInt64, number: Int) {
    self.init(words: [UInt8(truncatingIfNeeded: number)], total: total, row: row)
  }

  /// The place after `prefix` on a line: its position if lines are overwritten, regardless of its words;
  /// otherwise its letters alone, so that counters and bars before it do not matter.
  init(after prefix: Piece, total: UInt64, on line: OutputLine, number: Int = 0) {
    if line.isRedrawn {
      self.init(row: line.height == 0 ? -1 : line.row, total: total, number: number)
    } else {
      self.init(words: prefix.suffix(80).filter { $0.isWordByte && $0 < 0x80 }, total: total)
      let word = prefix.withoutBlanksAtEnd.suffix(40)
      let start = word.lastIndex { $0 == 0x20 || $0 == UInt8(ascii: "[") }
      name = Array(word[(start.map { $0 + 1 } ?? word.startIndex)...])
    }
  }
}

extension OutputLine {
  /// A hash of the line's subject: of its words that are not numbers, measures or times.
  ///
  /// If the subject changes each time, the number beside it belongs to one item after the other.
  var subject: Int {
    guard !isRedrawn else { return 0 }
    var hash = 5381
    for word in words {
      let word = word.drop { !$0.isWordByte && !$0.isDigit }
      guard let first = word.first, word.contains(where: \.isWordByte), first < 0x80 else {
        continue
      }
      if first.isDigit, !Self.isName(word) { continue }
      for byte in word { hash = (hash &* 33) ^ Int(byte) }
    }
    return hash
  }

  /// `01.png` is a name; `12.5MB/s`, `3m20s` are measures.
  private static func isName(_ word: Piece) -> Bool {
    guard let dot = word.lastIndex(of: UInt8(ascii: ".")), dot + 1 < word.endIndex else {
      return false
    }
    return word[dot + 1].isLetter
  }
}
