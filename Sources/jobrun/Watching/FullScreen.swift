/// The whole terminal, on its alternate screen (xterm's ctlseqs, mode 1049): the old content comes back at the
/// end.
///
/// Each change is one string, for one write, with only the changed columns; the cursor stays visible, in the
/// selected row.
struct FullScreen {
  /// The current content; nil before the first frame and after a change of size.
  private var shown: [Line]?
  private var size = (columns: 0, rows: 0)
  private var cursor = 0
  private let colour: Bool

  init(colour: Bool) {
    self.colour = colour
  }

  static let enter = "\u{1B}[?1049h\u{1B}[H\u{1B}[2J"
  /// A terminal without a second screen is left empty, with no line of ours at its end.
  static let leave = "\u{1B}[H\u{1B}[2J\u{1B}[?1049l"

  /// The output that shows `lines` with the cursor in row `cursor`; nil without a change.
  mutating func show(
    _ lines: [Line], cursor: Int, columns: Int, rows: Int
  ) -> String? {
    let isNew = shown == nil || size != (columns, rows)
    guard isNew || lines != shown || cursor != self.cursor else { return nil }
    var text = isNew ? "\u{1B}[H\u{1B}[2J" : ""
    let before = isNew ? [] : shown ?? []
    for row in 0..<max(lines.count, before.count) {
      let line = row < lines.count ? lines[row] : Line()
      if row >= before.count {
        text += RowChange.whole(line, row: row, colour: colour)
      } else if before[row] != line {
        text += RowChange.text(from: before[row], to: line, row: row, colour: colour)
      }
    }
    (shown, size, self.cursor) = (lines, (columns, rows), cursor)
    return text + "\u{1B}[\(cursor + 1);1H"
  }

  /// Forgets the content, after another program has written there.
  mutating func forget() {
    shown = nil
  }
}
