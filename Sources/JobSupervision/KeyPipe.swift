internal import JobPage
internal import LinuxSystem

/// What people type into the terminal of a job, through a pipe with a name.
///
/// The pipe exists as long as the job's terminal; afterwards an open for writing fails (ENXIO).
struct KeyPipe: ~Copyable {
  private let path: String
  private let pipe: FileDescriptor
  private var words = TerminalWords()
  /// Typed bytes that the terminal has no room for yet; nothing more is read meanwhile.
  private var pending: ArraySlice<UInt8> = []

  init(_ path: String) throws(SystemError) {
    self.path = path
    // An earlier supervisor was killed.
    try File.remove(path)
    try File.makePipe(path)
    // Open for writing, too: otherwise the pipe ends whenever a person leaves.
    pipe = try File.open(path, [.read, .write, .nonblocking])
  }

  deinit {
    // Without a reader it is useless in any case.
    try? File.remove(path)
  }

  /// Readable when there are keys; nil while the terminal has no room for more.
  var openNumber: Int32? { pending.isEmpty ? pipe.number : nil }

  /// Whether there is something for the terminal once that has room.
  var isFull: Bool { !pending.isEmpty }

  /// Gives the terminal what was typed.
  mutating func carry(to terminal: borrowing TerminalPair) {
    guard give(to: terminal) else { return }
    var bytes: [UInt8] = []
    guard case .bytes? = try? pipe.read(into: &bytes, maximum: 4_096) else { return }
    words.append(bytes)
    while let word = words.next() {
      switch word {
      case .keys(let typed): pending += typed
      case .size(let columns, let rows): terminal.resize(columns: columns, rows: rows)
      }
    }
    _ = give(to: terminal)
  }

  /// Whether nothing is left to give.
  private mutating func give(to terminal: borrowing TerminalPair) -> Bool {
    while !pending.isEmpty {
      do throws(SystemError) {
        guard let count = try terminal.master.write(pending) else { return false }
        pending = pending.dropFirst(count)
      } catch {
        // No program has the terminal any more.
        pending = []
      }
    }
    return true
  }
}
