/// Takes a program's output apart: lines as they stood on the screen, and taskbar sequences.
///
/// It may come in pieces that are cut anywhere. A carriage return, a backspace and a moved cursor end
/// a line as a newline does, because what follows is a new state of the same place; other escape
/// sequences are left out (ECMA-48).
struct OutputLines: Hashable, Sendable {
  enum Element: Hashable, Sendable {
    case line(OutputLine)
    case taskbar(TaskbarSequence)
  }

  private enum State: Hashable, Sendable {
    case text
    case escape
    /// Inside `ESC [`.
    case sequence
    /// Inside a string such as OSC, until BEL or `ESC \`; holds it when it is an OSC.
    case string([UInt8]?)
    case stringEscape([UInt8]?)
  }

  /// A longer line keeps its start.
  private static let lineBytes = 2048
  /// A taskbar sequence has a dozen.
  private static let stringBytes = 64

  private var state = State.text
  private var open: [UInt8] = []
  /// What comes is the end of something whose start was not seen.
  private var isMidway = false

  /// Takes the next piece; lines that ended, and last the one that has not.
  mutating func read(_ bytes: some Sequence<UInt8>) -> [Element] {
    var found: [Element] = []
    for byte in bytes { read(byte, into: &found) }
    if !open.isEmpty { found.append(.line(OutputLine(open, isComplete: false))) }
    return found
  }

  /// Something was left out before what comes next.
  mutating func skip() {
    state = .text
    open = []
    isMidway = true
  }

  private mutating func read(_ byte: UInt8, into found: inout [Element]) {
    switch state {
    case .text: readText(byte, into: &found)
    case .escape: readEscape(byte, into: &found)
    case .sequence:
      guard (0x40...0x7E).contains(byte) else { return }
      state = .text
      if Self.movesCursor(byte) { endLine(into: &found) }
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
    switch byte {
    case 0x1B: state = .escape
    case 0x08, 0x0A...0x0D: endLine(into: &found)
    case 0x09: add(0x20)
    case 0..<0x20, 0x7F: break
    default: add(byte)
    }
  }

  private mutating func readEscape(_ byte: UInt8, into found: inout [Element]) {
    switch byte {
    case UInt8(ascii: "["): state = .sequence
    case UInt8(ascii: "]"): state = .string([])
    case UInt8(ascii: "P"), UInt8(ascii: "^"), UInt8(ascii: "_"): state = .string(nil)
    case UInt8(ascii: "7"), UInt8(ascii: "8"), UInt8(ascii: "D"), UInt8(ascii: "E"),
      UInt8(ascii: "M"):
      state = .text
      endLine(into: &found)
    default: state = .text
    }
  }

  private mutating func add(_ byte: UInt8) {
    if !isMidway, open.count < Self.lineBytes { open.append(byte) }
  }

  private mutating func endLine(into found: inout [Element]) {
    isMidway = false
    guard !open.isEmpty else { return }
    found.append(.line(OutputLine(open)))
    open.removeAll(keepingCapacity: true)
  }

  private mutating func endString(_ text: [UInt8]?, into found: inout [Element]) {
    state = .text
    if let text, let sequence = TaskbarSequence(text) { found.append(.taskbar(sequence)) }
  }

  /// CUU, CUD, CNL, CPL, CHA, CUP, VPA, HVP, save and restore; not CUF, which programs use as a blank.
  private static func movesCursor(_ final: UInt8) -> Bool {
    switch final {
    case UInt8(ascii: "A"), UInt8(ascii: "B"), UInt8(ascii: "E"), UInt8(ascii: "F"),
      UInt8(ascii: "G"), UInt8(ascii: "H"), UInt8(ascii: "d"), UInt8(ascii: "f"),
      UInt8(ascii: "s"), UInt8(ascii: "u"):
      true
    default: false
    }
  }
}
