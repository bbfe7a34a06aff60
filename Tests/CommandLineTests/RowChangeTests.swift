import TestKit
import Testing

@testable import jobrun

/// The output that changes one row of the screen into another.
struct RowChangeTests {
  private func row(_ percent: String, left: String) -> Line {
    var line = Line("  1 ", .faint)
    line.append("Trip  ", .strong)
    line.append(percent, .strong)
    line.append(left)
    return line
  }

  @Test func `of a row only the columns that changed are written`() {
    let (old, new) = (row("45 %", left: "     9 s left"), row("46 %", left: "     8 s left"))
    #expect(
      RowChange.text(from: old, to: new, row: 4, colour: true)
        == "\u{1B}[5;12H\u{1B}[1m6\u{1B}[0m\u{1B}[20G8")
    #expect(
      RowChange.text(from: old, to: new, row: 4, colour: false) == "\u{1B}[5;12H6\u{1B}[20G8")
  }

  @Test func `a shorter row is cut, and what only looked different is left alone`() {
    #expect(
      RowChange.text(from: Line("one two"), to: Line("one"), row: 0, colour: true)
        == "\u{1B}[1;4H\u{1B}[K")
    #expect(
      RowChange.text(from: Line("one", .bad), to: Line("one", .good), row: 0, colour: false) == "")
  }

  @Test func `a row with a character of unsure width is written whole`() {
    let family = "👩‍👩‍👧 12"
    #expect(
      RowChange.text(from: Line(family + "1"), to: Line(family + "2"), row: 0, colour: false)
        == "\u{1B}[1;1H👩‍👩‍👧 122\u{1B}[K")
  }

  @Test func `whatever a row becomes, it looks as if it had been written whole`() {
    for seed in 1...2_000 as ClosedRange<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let colour = seed % 2 == 0
      var shown = Line()
      var screen = Row()
      for _ in 0..<6 {
        let next = generator.line(after: shown)
        screen.write(RowChange.text(from: shown, to: next, row: 0, colour: colour))
        shown = next
        var whole = Row()
        whole.write(RowChange.whole(shown, row: 0, colour: colour))
        #expect(screen.cells == whole.cells, "seed \(seed)")
      }
    }
  }
}

extension SeededGenerator {
  /// A line of at most 40 columns; often it is `line` with something changed.
  fileprivate mutating func line(after line: Line) -> Line {
    let alphabet: [Character] = [
      "a", "b", "1", "2", " ", " ", "━", "╸", "─", "é", "漢", "字", "한", "✓", "🎉", "👩‍👧", "e\u{301}",
    ]
    let styles: [Line.Style] = [.plain, .strong, .faint, .bar]
    var pieces = line.pieces
    if pieces.isEmpty || Int.random(in: 0..<4, using: &self) == 0 {
      pieces = (0..<Int.random(in: 0...4, using: &self)).map { _ in
        let text = (0..<Int.random(in: 1...8, using: &self)).map { _ -> Character in
          // The last ones are rare: a row with one of them is written whole.
          let rare = Int.random(in: 0..<9, using: &self) == 0 ? 0 : 2
          return alphabet[Int.random(in: 0..<alphabet.count - rare, using: &self)]
        }
        return Line.Piece(text: String(text), style: styles[Int.random(in: 0..<4, using: &self)])
      }
    } else {
      let index = Int.random(in: 0..<pieces.count, using: &self)
      var text = Array(pieces[index].text)
      text[Int.random(in: 0..<text.count, using: &self)] =
        alphabet[Int.random(in: 0..<alphabet.count - 2, using: &self)]
      pieces[index].text = String(text)
    }
    var changed = Line()
    for piece in pieces { changed.append(piece.text, piece.style) }
    return changed
  }
}

/// One row of a terminal as ECMA-48 and xterm have it: half of a wide character that is written over
/// takes the other half with it.
private struct Row {
  struct Cell: Hashable {
    var text: String
    var style: String
    var isSecond = false
  }

  private static let blank = Cell(text: " ", style: "")
  private var all = [Cell](repeating: Row.blank, count: 80)
  private var column = 0
  private var style = ""

  var cells: [Cell] { all }

  mutating func write(_ text: String) {
    var rest = Substring(text)
    while let character = rest.popFirst() {
      if character == "\u{1B}" { obey(&rest) } else { put(character) }
    }
  }

  private mutating func obey(_ rest: inout Substring) {
    rest.removeFirst()
    let parameters = rest.prefix { !$0.isLetter }
    rest = rest.dropFirst(parameters.count)
    switch rest.removeFirst() {
    case "H": column = Int(parameters.split(separator: ";")[1]).map { $0 - 1 } ?? 0
    case "G": column = Int(parameters).map { $0 - 1 } ?? 0
    case "K": for index in column..<all.count { clear(index) }
    case "m": style = parameters == "0" ? "" : String(parameters)
    case let other: Issue.record("an unknown sequence ends with \(other)")
    }
  }

  private mutating func put(_ character: Character) {
    let width = TextWidth.of(character)
    for index in column..<column + width { clear(index) }
    all[column] = Cell(text: String(character), style: style)
    if width == 2 { all[column + 1] = Cell(text: "", style: style, isSecond: true) }
    column += width
  }

  private mutating func clear(_ index: Int) {
    if all[index].isSecond { all[index - 1] = Row.blank }
    if index + 1 < all.count, all[index + 1].isSecond { all[index + 1] = Row.blank }
    all[index] = Row.blank
  }
}
