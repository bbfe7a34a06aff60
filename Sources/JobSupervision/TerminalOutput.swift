internal import LinuxSystem

/// Carries what a program writes to its terminal into its log.
///
/// A log that takes nothing (a full disk) never holds the program up: what does not fit is dropped,
/// and how much that was is said in the log as soon as there is room.
struct TerminalOutput: ~Copyable {
  private let log: FileDescriptor
  private var terminal: TerminalPair
  /// Bytes that were dropped and not yet told.
  private var lost: UInt64 = 0
  /// Nobody can write any more.
  private var isOver = false

  /// Pieces that are carried before signals are looked at again.
  private static let piecesAtOnce = 16

  init(_ terminal: consuming TerminalPair, log: consuming FileDescriptor) {
    self.terminal = terminal
    self.log = log
  }

  /// Readable when there is something to carry; nil once nothing can come any more.
  var openNumber: Int32? { isOver ? nil : terminal.master.number }

  /// For the program's standard output and error.
  var slaveNumber: Int32 { terminal.slaveNumber }

  /// The program has its side: this process lets go of it.
  mutating func begin() {
    terminal.closeSlave()
  }

  /// Carries what is there; true when there may be more.
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

  /// Carries the rest of what was written before everybody had ended.
  mutating func finish() {
    while carry() {}
    if lost > 0 { tell() }
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

  /// Says in the log what is missing there; false while there is no room for that either.
  @discardableResult
  private mutating func tell() -> Bool {
    let sentence = "\njobrun: \(lost) bytes of output are missing here; the disk had no room\n"
    guard (try? log.writeAll(Array(sentence.utf8))) != nil else { return false }
    lost = 0
    return true
  }
}
