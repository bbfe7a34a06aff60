import JobWire

/// The output that changes one row of a terminal into another: only the columns that differ.
///
/// Terminals disagree on the width of characters of several scalars: a row with one of those is written whole,
/// so that a misplaced column lasts only until the row's next change.
enum RowChange {
  /// The content of one column.
  private struct Cell: Hashable {
    var scalar: Unicode.Scalar
    var style: Line.Style
    /// It is the second column of a wide character.
    var isSecond = false
  }

  /// Rewriting this many unchanged columns costs no more bytes than skipping them.
  private static let gap = 4

  /// From `old` to `new` in `row`, from 0; `colour`: styles can be seen.
  static func text(from old: Line, to new: Line, row: Int, colour: Bool) -> String {
    guard let before = cells(of: old, colour: colour), let after = cells(of: new, colour: colour)
    else { return whole(new, row: row, colour: colour) }
    var text = ""
    // The column that the cursor is in; nil = it is in another row.
    var cursor: Int?
    func go(to column: Int) {
      if cursor != column {
        text += cursor == nil ? "\u{1B}[\(row + 1);\(column + 1)H" : "\u{1B}[\(column + 1)G"
      }
      cursor = column
    }
    for changed in changes(from: before, to: after) {
      go(to: changed.lowerBound)
      text += line(of: after[changed]).rendered(colour: colour)
      cursor = changed.upperBound
    }
    if after.count < before.count {
      go(to: after.count)
      text += "\u{1B}[K"
    }
    return text
  }

  /// The whole row, regardless of its old content.
  static func whole(_ line: Line, row: Int, colour: Bool) -> String {
    "\u{1B}[\(row + 1);1H" + line.rendered(colour: colour) + "\u{1B}[K"
  }

  /// The columns that differ, ascending.
  private static func changes(from before: [Cell], to after: [Cell]) -> [Range<Int>] {
    var changes: [Range<Int>] = []
    for column in after.indices where column >= before.count || before[column] != after[column] {
      if let last = changes.last, column - last.upperBound <= gap {
        changes[changes.count - 1] = last.lowerBound..<column + 1
      } else {
        changes.append(column..<column + 1)
      }
    }
    return changes
  }

  /// Nil when it holds a character whose width is not sure.
  private static func cells(of line: Line, colour: Bool) -> [Cell]? {
    var cells: [Cell] = []
    cells.reserveCapacity(128)
    for piece in line.pieces {
      let style = colour ? piece.style : .plain
      let text = SafeText.shown(piece.text)
      if TextWidth.isPlain(text) {
        for scalar in text.unicodeScalars { cells.append(Cell(scalar: scalar, style: style)) }
        continue
      }
      for character in text {
        guard let scalar = character.unicodeScalars.first, character.unicodeScalars.count == 1
        else { return nil }
        let width = TextWidth.of(character)
        guard width > 0 else { return nil }
        cells.append(Cell(scalar: scalar, style: style))
        if width == 2 { cells.append(Cell(scalar: scalar, style: style, isSecond: true)) }
      }
    }
    return cells
  }

  private static func line(of cells: ArraySlice<Cell>) -> Line {
    var line = Line()
    var text = String.UnicodeScalarView()
    var style = Line.Style.plain
    for cell in cells where !cell.isSecond {
      if cell.style != style {
        line.append(String(text), style)
        (text, style) = (String.UnicodeScalarView(), cell.style)
      }
      text.append(cell.scalar)
    }
    line.append(String(text), style)
    return line
  }
}
