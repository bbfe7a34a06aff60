import JobCore

/// A count that a line holds: `3/40`, `617,283 / 1,234,567`, `5 MB of 10 MB`, `12 out of 30`.
struct CountPair: Hashable, Sendable {
  var completed: UInt64
  var total: UInt64
  var unit: PageSample.Unit
  /// The text before it on its line, and after it.
  var before: Piece
  var after: Piece

  /// More pairs on one line are not counts.
  private static let most = 4

  /// The counts of a line, from left to right.
  static func all(in line: Piece) -> [CountPair] {
    var found: [CountPair] = []
    guard line.contains(UInt8(ascii: "/")) || line.contains("of ") else { return found }
    var place = line.startIndex
    while found.count < most, let start = line[place...].firstIndex(where: \.isDigit) {
      if let pair = CountPair(line, at: start) {
        found.append(pair)
        place = pair.after.startIndex
      } else {
        place = line[start...].firstIndex { !$0.isNumberByte } ?? line.endIndex
      }
    }
    return found
  }

  /// Nil without a pair at this place.
  private init?(_ line: Piece, at start: Int) {
    if start > line.startIndex, Self.joins(line[start - 1]) { return nil }
    guard let first = Amount(line[start...]),
      let rest = Self.separator(Self.withoutRunning(first.after, before: line[..<start])),
      let second = Amount(rest), !Self.continues(second.after),
      let total = second.value(), total > 0, let completed = first.value(as: second),
      completed <= total
    else { return nil }
    // A fraction without a unit is a measure, not a count.
    guard second.isWhole && first.isWhole || second.isBytes else { return nil }
    self.init(
      completed: completed, total: total, unit: second.isBytes ? .bytes : .items,
      before: line[..<start], after: second.after)
  }

  init(
    completed: UInt64, total: UInt64, unit: PageSample.Unit = .items, before: Piece = [],
    after: Piece = []
  ) {
    self.completed = completed
    self.total = total
    self.unit = unit
    self.before = before
    self.after = after
  }

  /// `a3/40`, `/3/40`, `-3/40`, `1.3/40`: no counts.
  private static func joins(_ byte: UInt8) -> Bool {
    byte.isWordByte || byte.isNumberByte
      || [UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "_")].contains(byte)
  }

  /// `3/40/5`, `5/10 MB/s`, `3/40x`: no counts.
  private static func continues(_ rest: Piece) -> Bool {
    guard let byte = rest.first else { return false }
    return byte.isWordByte || byte.isDigit || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "%")
      || byte == UInt8(ascii: "_")
  }

  /// `(12 + 2) / 40`: two more are in progress, and do not count.
  private static func withoutRunning(_ rest: Piece, before: Piece) -> Piece {
    guard before.last == UInt8(ascii: "("), rest.trimmed.first == UInt8(ascii: "+"),
      let second = Amount(rest.trimmed.dropFirst().trimmed), second.isWhole,
      second.after.first == UInt8(ascii: ")")
    else { return rest }
    return second.after.dropFirst()
  }

  /// The text after `/`, `of` or `out of`; nil without one.
  private static func separator(_ rest: Piece) -> Piece? {
    let rest = rest.trimmed
    if rest.first == UInt8(ascii: "/") { return rest.dropFirst().trimmed }
    if rest.starts(with: "of ") { return rest.dropFirst(3).trimmed }
    return rest.starts(with: "out of ") ? rest.dropFirst(7).trimmed : nil
  }
}

/// A number with its unit, where it has one.
private struct Amount {
  var digits: Piece
  /// `MB`, `KiB`, `bytes`; empty without one.
  var unit: Piece
  var after: Piece

  init?(_ rest: Piece) {
    let end = rest.firstIndex { !$0.isNumberByte } ?? rest.endIndex
    digits = rest[..<end]
    while digits.last == UInt8(ascii: ".") || digits.last == UInt8(ascii: ",") {
      digits = digits.dropLast()
    }
    guard digits.first?.isDigit ?? false else { return nil }
    after = rest[digits.endIndex...]
    unit = after[..<after.startIndex]
    let word = after.trimmed.prefix { $0.isWordByte }
    if Self.isUnit(word, isApart: word.startIndex > after.startIndex) {
      unit = word
      after = rest[word.endIndex...]
    }
  }

  var isWhole: Bool { digits.wholeNumber != nil && !digits.contains(UInt8(ascii: ".")) }
  var isBytes: Bool { !unit.isEmpty }

  func value() -> UInt64? {
    unit.isEmpty ? digits.wholeNumber : (digits + unit)[...].amount(step: 1000)
  }

  /// `5 of 10 MB`: both are in the unit of the second.
  func value(as other: Amount) -> UInt64? {
    guard unit.isEmpty, !other.unit.isEmpty else { return value() }
    return (digits + other.unit)[...].amount(step: 1000)
  }

  /// A single letter is a unit only directly after its number: `5 M` may begin a word.
  private static func isUnit(_ word: Piece, isApart: Bool) -> Bool {
    guard !word.isEmpty, (Array("1".utf8) + word)[...].amount(step: 1000) != nil else {
      return false
    }
    return !isApart || word.last == UInt8(ascii: "B") || word.equals("bytes")
  }
}

extension UInt8 {
  /// A digit, or a separator between digits.
  fileprivate var isNumberByte: Bool {
    isDigit || self == UInt8(ascii: ".") || self == UInt8(ascii: ",")
  }
}
