/// Splits a program's output into lines as they appeared on the screen, and taskbar sequences.
///
/// The output may come in pieces that are cut anywhere. A carriage return, a backspace and a cursor movement
/// end a line like a newline, because the following text is a new state of the same place; other escape
/// sequences are removed (ECMA-48).
struct OutputLines: Hashable, Sendable {
  enum Element: Hashable, Sendable {
    case line(OutputLine)
    case taskbar(TaskbarSequence)
  }

  private enum State: Hashable, Sendable {
    case text
    case escape
    /// Inside `ESC [`; its first number, 0 without one, and whether that has ended.
    case sequence(Int, isOver: Bool = false)
    /// Inside a string such as OSC, until BEL or `ESC \`; holds it when it is an OSC.
    case string([UInt8]?)
    case stringEscape([UInt8]?)
  }

  /// A longer line keeps its start.
  private static let lineBytes = 2048
  /// More than any screen has.
  private static let maximumRows = 1000
  /// A taskbar sequence has a dozen.
  private static let stringBytes = 64

  private var state = State.text
  private var open: [UInt8] = []
  /// The text before `open` on its row that backspaces did not reach.
  private var standing: [UInt8] = []
  /// The next bytes continue a line whose start was not seen.
  private var isMidway = false
  /// The position of the cursor; rows count downwards from an arbitrary number.
  private var row = 0
  /// Where it was when that was saved.
  private var savedRow = 0
  private var lowestRow = 0
  /// The lowest row with text; text that a newline leads to above it, or on it, replaces another.
  private var lowestText = -1
  /// Where the rows of the screen begin, for a program that counts from there; nil until it does.
  private var screenTop: Int?
  /// The next text may replace another one.
  private var isRedrawn = false
  /// The line that ends now replaced another one, and is not replaced itself.
  private var isLeft = false
  /// The last byte was a carriage return: a newline after it ends a line as usual.
  private var hasReturned = false

  /// Reads the next piece; returns the ended lines, and last the unfinished one.
  mutating func read(_ bytes: [UInt8]) -> [Element] {
    var found: [Element] = []
    for byte in bytes { read(byte, into: &found) }
    if !open.isEmpty { found.append(.line(line(isComplete: false))) }
    return found
  }

  /// Part of the output before the next piece was dropped.
  mutating func skip() {
    state = .text
    open = []
    isMidway = true
    (isRedrawn, hasReturned, standing) = (false, false, [])
  }

  private mutating func read(_ byte: UInt8, into found: inout [Element]) {
    switch state {
    case .text: readText(byte, into: &found)
    case .escape: readEscape(byte, into: &found)
    case .sequence(let number, let isOver):
      guard (0x40...0x7E).contains(byte) else {
        if !byte.isDigit {
          state = .sequence(number, isOver: true)
        } else if !isOver {
          state = .sequence(min(number * 10 + Int(byte - 0x30), Self.maximumRows))
        }
        return
      }
      state = .text
      moveCursor(byte, by: number, into: &found)
    case .string(let text):
      if byte == 7 {
        endString(text, into: &found)
      } else if byte == 0x1B {
        state = .stringEscape(text)
      } else {
        state = .string(text.flatMap { $0.count < Self.stringBytes ? $0 + [byte] : nil })
      }
    case .stringEscape(let text):
      endString(text, into: &found)
      if byte != UInt8(ascii: "\\") { readEscape(byte, into: &found) }
    }
  }

  private mutating func readText(_ byte: UInt8, into found: inout [Element]) {
    if hasReturned, byte != 0x0A, byte != 0x0D { goBack(into: &found) }
    switch byte {
    case 0x1B: state = .escape
    case 0x0A...0x0C: breakLine(into: &found)
    case 0x08: goBackOnce(into: &found)
    case 0x0D: hasReturned = true
    case 0x09: add(0x20)
    case 0..<0x20, 0x7F: break
    default: add(byte)
    }
  }

  private mutating func readEscape(_ byte: UInt8, into found: inout [Element]) {
    switch byte {
    case UInt8(ascii: "["): state = .sequence(0)
    case UInt8(ascii: "]"): state = .string([])
    case UInt8(ascii: "P"), UInt8(ascii: "^"), UInt8(ascii: "_"): state = .string(nil)
    case UInt8(ascii: "D"), UInt8(ascii: "E"):
      state = .text
      breakLine(into: &found)
    case UInt8(ascii: "7"), UInt8(ascii: "8"), UInt8(ascii: "M"):
      state = .text
      goBack(into: &found)
      if byte == UInt8(ascii: "7") { savedRow = row }
      if byte == UInt8(ascii: "8") { move(to: savedRow) }
    default: state = .text
    }
  }

  private mutating func add(_ byte: UInt8) {
    if !isMidway, open.count < Self.lineBytes { open.append(byte) }
  }

  private mutating func endLine(into found: inout [Element]) {
    isMidway = false
    guard !open.isEmpty else { return }
    lowestText = max(lowestText, row)
    found.append(.line(line(isComplete: true)))
    open.removeAll(keepingCapacity: true)
  }

  private func line(isComplete: Bool) -> OutputLine {
    OutputLine(
      open, isComplete: isComplete, hasReturned: hasReturned, row: row, height: lowestRow - row,
      isRedrawn: isRedrawn || hasReturned, isLeft: isLeft, standing: standing)
  }

  private mutating func breakLine(into found: inout [Element]) {
    hasReturned = false
    isLeft = isRedrawn && row == lowestRow
    endLine(into: &found)
    isLeft = false
    standing = []
    move(to: row + 1)
    isRedrawn = row <= lowestText
  }

  private mutating func goBack(into found: inout [Element]) {
    isRedrawn = true
    hasReturned = false
    endLine(into: &found)
    standing = []
  }

  private mutating func goBackOnce(into found: inout [Element]) {
    if open.isEmpty {
      (isRedrawn, hasReturned) = (true, false)
    } else {
      let stays = (standing + open).prefix(Self.lineBytes)
      goBack(into: &found)
      standing = Array(stays)
    }
    if !standing.isEmpty { standing.removeLast() }
  }

  private mutating func move(to row: Int) {
    self.row = row
    lowestRow = min(max(lowestRow, row), row + Self.maximumRows)
    lowestText = min(lowestText, lowestRow)
  }

  private mutating func endString(_ text: [UInt8]?, into found: inout [Element]) {
    state = .text
    if let text, let sequence = TaskbarSequence(text) { found.append(.taskbar(sequence)) }
  }

  /// CUU, CUD, CNL, CPL, CHA, CUP, VPA, HVP, save and restore; not CUF, which programs use as a blank.
  private mutating func moveCursor(_ final: UInt8, by number: Int, into found: inout [Element]) {
    let rows: Int
    switch final {
    case UInt8(ascii: "A"), UInt8(ascii: "F"): rows = -max(1, number)
    case UInt8(ascii: "B"), UInt8(ascii: "E"): rows = max(1, number)
    case UInt8(ascii: "G"), UInt8(ascii: "s"): rows = 0
    case UInt8(ascii: "H"), UInt8(ascii: "d"), UInt8(ascii: "f"):
      // The first place that it names is where it is.
      let top = screenTop ?? row - max(1, number)
      screenTop = top
      rows = top + max(1, number) - row
    case UInt8(ascii: "u"): rows = savedRow - row
    default: return
    }
    goBack(into: &found)
    if final == UInt8(ascii: "s") { savedRow = row }
    move(to: row + rows)
  }
}
