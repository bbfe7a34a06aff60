/// The lines of a terminal after a program has written to it.
///
/// Supports the sequences of line editing and live lines: CR, LF, BS, wrapping at the edge, and of ECMA-48 the
/// cursor movements A–H and the erasures J and K; colours, modes and titles (OSC) are skipped. East Asian
/// characters and emoji are two columns wide.
package struct TerminalScreen: Hashable, Sendable {
  private let columns: Int
  /// By column; nil = the second of a wide character.
  private var rows: [[Character?]] = [[]]
  private var row = 0
  private var column = 0

  package init(columns: Int) {
    self.columns = columns
  }

  /// All lines ever written, scrolled ones too, without trailing blanks.
  package var lines: [String] {
    rows.map { row in
      String(row.compactMap(\.self).reversed().drop { $0 == " " }.reversed())
    }
  }

  /// Writes `text` as a program would.
  package mutating func write(_ text: String) {
    var rest = Substring(text)
    while let character = rest.popFirst() {
      switch character {
      case "\u{1B}": skipOrObey(&rest)
      case "\r\n": newLine(column: 0)
      case "\n": newLine(column: column)
      case "\r": column = 0
      case "\u{8}": column = max(0, column - 1)
      case "\u{7}": break
      default: put(character)
      }
    }
  }

  private mutating func put(_ character: Character) {
    let width = Self.isWide(character) ? 2 : 1
    if column + width > columns { newLine(column: 0) }
    pad(to: column + width)
    rows[row][column] = character
    if width == 2 { rows[row][column + 1] = nil }
    column += width
  }

  private static func isWide(_ character: Character) -> Bool {
    guard let scalar = character.unicodeScalars.first else { return false }
    if scalar.properties.isEmojiPresentation { return true }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      return true
    default: return false
    }
  }

  private mutating func newLine(column newColumn: Int) {
    row += 1
    column = newColumn
    if row == rows.count { rows.append([]) }
  }

  private mutating func pad(to width: Int) {
    while rows[row].count < width { rows[row].append(" ") }
  }

  private mutating func skipOrObey(_ rest: inout Substring) {
    switch rest.popFirst() {
    case "[": obeyControlSequence(&rest)
    case "]":
      // Operating system command: to BEL or ESC \.
      while let character = rest.popFirst(), character != "\u{7}" {
        if character == "\u{1B}" {
          _ = rest.popFirst()
          return
        }
      }
    default: break
    }
  }

  private mutating func obeyControlSequence(_ rest: inout Substring) {
    let parameters = rest.prefix { !("@"..."~").contains($0) }
    rest = rest[parameters.endIndex...]
    guard let command = rest.popFirst() else { return }
    let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) }
    let first = numbers.first ?? nil
    switch command {
    case "A": row = max(0, row - (first ?? 1))
    case "B": moveDown(first ?? 1)
    case "C": column = min(columns - 1, column + (first ?? 1))
    case "D": column = max(0, column - (first ?? 1))
    case "H":
      moveDown((first ?? 1) - 1 - row)
      column = max(0, (numbers.count > 1 ? numbers[1] ?? 1 : 1) - 1)
    case "G": column = max(0, (first ?? 1) - 1)
    case "E", "F":
      if command == "F" { row = max(0, row - (first ?? 1)) } else { moveDown(first ?? 1) }
      column = 0
    case "J", "K": erase(command, mode: first ?? 0)
    default: break
    }
  }

  private mutating func moveDown(_ count: Int) {
    row = max(0, row + count)
    while row >= rows.count { rows.append([]) }
  }

  private mutating func erase(_ command: Character, mode: Int) {
    switch mode {
    case 0:
      rows[row] = Array(rows[row].prefix(column))
      if command == "J" { rows.removeSubrange((row + 1)...) }
    case 1:
      pad(to: column + 1)
      for index in 0...column { rows[row][index] = " " }
    default:
      rows[row] = []
      if command == "J" { for index in rows.indices { rows[index] = [] } }
    }
  }
}
