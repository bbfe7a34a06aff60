internal import LinuxSystem

/// Copies a program's terminal output into its log, and what people type to the program.
///
/// A log that cannot be written to (a full disk) never blocks the program: output is dropped, and the log
/// says how much as soon as there is space.
struct TerminalOutput: ~Copyable {
  private let log: FileDescriptor
  private var terminal: TerminalPair
  /// Nil for a terminal without keys.
  private var keys: KeyPipe?
  /// Dropped bytes that have not been reported yet.
  private var lost: UInt64 = 0
  /// The program's side is closed everywhere.
  private var isOver = false

  /// The number of pieces that are copied before signals are checked again.
  private static let piecesAtOnce = 16

  init(
    _ terminal: consuming TerminalPair, keys: consuming KeyPipe?, log: consuming FileDescriptor
  ) {
    self.terminal = terminal
    self.keys = consume keys
    self.log = log
  }

  /// Readable when there is output; nil once there can be none.
  var openNumber: Int32? { isOver ? nil : terminal.master.number }

  /// What to wait for on that.
  var interest: Interest {
    mutating get { keys?.isFull == true ? [.readable, .writable] : .readable }
  }

  /// Readable when there are keys; nil while they cannot be passed on.
  var keysNumber: Int32? {
    mutating get { isOver ? nil : keys?.openNumber }
  }

  /// Passes on what was typed.
  mutating func type() { keys?.carry(to: terminal) }

  /// For the program's standard output and error.
  var slaveNumber: Int32 { terminal.slaveNumber }

  /// Closes the program's side here, once the program has it.
  mutating func begin() {
    terminal.closeSlave()
  }

  /// Copies the available output; true when there may be more.
  @discardableResult
  mutating func carry() -> Bool {
    var piece: [UInt8] = []
    for _ in 0..<Self.piecesAtOnce where !isOver {
      piece.removeAll(keepingCapacity: true)
      do {
        switch try terminal.master.read(into: &piece) {
        case .bytes: write(piece)
        case .wouldBlock: return false
        case .end: isOver = true
        }
      } catch {
        // EIO: the last program has closed it.
        isOver = true
      }
    }
    return !isOver
  }

  /// Copies the output that was left when the last process ended.
  mutating func finish() {
    while carry() {}
    if lost > 0 { tell() }
    // The end of the pipe tells attached terminals that the output is complete.
    keys = nil
  }

  private mutating func write(_ bytes: [UInt8]) {
    if lost > 0, !tell() {
      lost += UInt64(bytes.count)
      return
    }
    var rest = bytes[...]
    while !rest.isEmpty {
      guard let count = (try? log.write(rest)) ?? nil, count > 0 else {
        lost += UInt64(rest.count)
        return
      }
      rest = rest.dropFirst(count)
    }
  }

  /// Reports the dropped bytes in the log; false while there is no space for that either.
  @discardableResult
  private mutating func tell() -> Bool {
    let sentence = "\njobrun: \(lost) bytes of output are missing here; the disk had no room\n"
    guard (try? log.writeAll(Array(sentence.utf8))) != nil else { return false }
    lost = 0
    return true
  }
}
