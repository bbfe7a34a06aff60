import Glibc

/// A terminal driven by a test: programs run on it, the test types and reads the output.
package final class Pseudoterminal {
  private let master: OwnedDescriptor
  private let path: String
  private var bytes: [UInt8] = []
  private var readOffset = 0
  private var hasEnded = false
  /// Held open until `close()`, so that the terminal survives between two programs.
  private var slave: OwnedDescriptor?

  package init(columns: UInt16 = 80, rows: UInt16 = 24) throws(SystemCallFailure) {
    var masterNumber: Int32 = -1
    var slaveNumber: Int32 = -1
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    var name = [CChar](repeating: 0, count: 128)
    guard unsafe openpty(&masterNumber, &slaveNumber, &name, nil, &size) == 0 else {
      throw SystemCallFailure("openpty")
    }
    for number in [masterNumber, slaveNumber] { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
    master = OwnedDescriptor(masterNumber)
    master.setNonBlocking()
    slave = OwnedDescriptor(slaveNumber)
    path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Starts a program in a new session with this controlling terminal.
  ///
  /// `environment` is complete, but `TERM=xterm-256color` is added unless TERM is set; it runs in
  /// `directory` (nil = the test's folder).
  package func start(
    _ executable: String, _ arguments: [String] = [], environment: [String: String],
    directory: String? = nil
  ) throws(SystemCallFailure) -> ChildProcess {
    let spawn = Spawn(
      executable: executable, arguments: arguments,
      environment: ["TERM": "xterm-256color"].merging(environment) { $1 },
      directory: directory, terminal: path)
    return try ChildProcess(spawn, output: nil, errors: nil)
  }

  /// Types keys: `"y"`, `"\u{3}"` for Ctrl-C.
  package func send(_ keys: String) throws(SystemCallFailure) {
    try send(bytes: Array(keys.utf8))
  }

  /// The same for keys that are no text.
  package func send(bytes: [UInt8]) throws(SystemCallFailure) {
    guard unsafe write(master.number, bytes, bytes.count) == bytes.count else {
      throw SystemCallFailure("type on \(path)")
    }
  }

  /// Changes the size; the kernel tells the foreground process group (SIGWINCH).
  package func resize(columns: UInt16, rows: UInt16 = 24) throws(SystemCallFailure) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    guard unsafe ioctl(master.number, UInt(TIOCSWINSZ), &size) == 0 else {
      throw SystemCallFailure("resize \(path)")
    }
  }

  /// Waits until `text` appears after the output read before; returns everything up to its end.
  ///
  /// The bytes are those written to the terminal, control sequences included.
  ///
  /// - Throws: `Overdue` at the deadline, or at once when no program has the terminal open.
  @discardableResult
  package func read(until text: String, within limit: Duration = Deadline.timeout) throws -> String
  {
    let deadline = Deadline(within: limit)
    let wanted = Array(text.utf8)
    var searched = readOffset
    while true {
      collect()
      if let end = bytes.endOfFirst(wanted, from: searched) {
        defer { readOffset = end }
        return String(decoding: bytes[readOffset..<end], as: UTF8.self)
      }
      searched = max(readOffset, bytes.count - wanted.count + 1)
      guard !hasEnded, try deadline.anyReadable(of: [master.number]) else {
        throw Overdue(awaited: "\"\(text)\" on the terminal", limit: limit, seen: unread)
      }
    }
  }

  /// Waits until `text` is on the screen, however it was written: a program may write only the changes.
  package func wait(
    untilShown text: String, columns: Int = 80, within limit: Duration = Deadline.timeout
  ) throws {
    let deadline = Deadline(within: limit)
    while true {
      collect()
      let lines = screen(columns: columns).lines
      if lines.contains(where: { $0.contains(text) }) { break }
      guard !hasEnded, try deadline.anyReadable(of: [master.number]) else {
        throw Overdue(
          awaited: "\"\(text)\" on the screen", limit: limit, seen: lines.joined(separator: "\n"))
      }
    }
    readOffset = bytes.count
  }

  /// The whole output so far, without waiting.
  package var transcript: String {
    collect()
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The number of bytes written so far, without waiting.
  package var written: Int {
    collect()
    return bytes.count
  }

  /// The transcript as shown on a terminal of this width.
  package func screen(columns: Int = 80) -> TerminalScreen {
    var screen = TerminalScreen(columns: columns)
    screen.write(transcript)
    return screen
  }

  /// Closes the window: the kernel hangs up (SIGHUP) on the session.
  package func close() {
    collect()
    hasEnded = true
    slave = nil
    master.close()
  }

  private var unread: String {
    String(decoding: bytes[readOffset...], as: UTF8.self)
  }

  private func collect() {
    guard !hasEnded else { return }
    let (more, ended) = master.drain()
    bytes += more
    hasEnded = ended
  }
}

extension [UInt8] {
  /// The offset just after the first occurrence of `wanted` at or after `start`.
  fileprivate func endOfFirst(_ wanted: [UInt8], from start: Int) -> Int? {
    guard !wanted.isEmpty, count >= wanted.count, start <= count - wanted.count else { return nil }
    for index in start...(count - wanted.count)
    where self[index] == wanted[0] && self[index..<(index + wanted.count)].elementsEqual(wanted) {
      return index + wanted.count
    }
    return nil
  }
}
