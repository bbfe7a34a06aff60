/// A program's progress for the terminal's taskbar entry: `OSC 9 ; 4 ; STATE ; PERCENT`.
///
/// Defined by ConEmu, adopted by Windows Terminal, Ghostty, GNOME and others; written by systemd, cargo and
/// curl's successors.
enum TaskbarSequence: Hashable, Sendable {
  /// The program is done showing progress.
  case removed
  /// 0…100.
  case percent(UInt64)
  /// Busy, for an unknown time.
  case indeterminate

  /// Parses the text between `ESC ]` and its end; nil when it is another sequence.
  init?(_ text: [UInt8]) {
    let fields = text.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
    guard fields.count >= 3, fields[0].equals("9"), fields[1].equals("4") else { return nil }
    let value = fields.count > 3 ? fields[3].wholeNumber : nil
    switch fields[2].wholeNumber {
    case 0: self = .removed
    // Normal; with an error; paused: the number means the same.
    case 1, 2, 4:
      guard let value, value <= 100 else { return nil }
      self = .percent(value)
    case 3: self = .indeterminate
    default: return nil
    }
  }
}
