/// The few lines at the bottom of a terminal that change in place.
///
/// Each change is one string, for one write; there is no output without a change. Uses carriage return, cursor
/// up and erase (ECMA-48 8.3), which every terminal but a dumb one supports; the cursor is never hidden, so
/// that no way of dying leaves it so.
struct LiveScreen {
  /// The lines currently shown.
  private var shown: [Line] = []
  private let colour: Bool

  init(colour: Bool) {
    self.colour = colour
  }

  /// The output that shows `lines`; nil without a change.
  mutating func show(_ lines: [Line], width: Int) -> String? {
    guard lines != shown else { return nil }
    let start = toStart(width: width)
    shown = lines
    return start + drawn()
  }

  /// The output that inserts `text`, which ends its last line, above the lines.
  func say(_ text: String, width: Int) -> String {
    toStart(width: width) + text + drawn()
  }

  /// The output that erases the lines and moves the cursor to their beginning.
  mutating func clear(width: Int) -> String {
    defer { shown = [] }
    return toStart(width: width)
  }

  /// To the first column of the first line, with everything from there erased.
  private func toStart(width: Int) -> String {
    guard !shown.isEmpty else { return "" }
    let rows = rows(width: width)
    return (rows > 1 ? "\u{1B}[\(rows - 1)A" : "") + "\r\u{1B}[J"
  }

  /// How many rows the lines take: a terminal that was made narrower has broken them.
  private func rows(width: Int) -> Int {
    shown.reduce(0) { $0 + max(1, ($1.width + width - 1) / max(1, width)) }
  }

  private func drawn() -> String {
    shown.map { $0.rendered(colour: colour) }.joined(separator: "\r\n")
  }
}
