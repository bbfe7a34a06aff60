internal import Glibc

/// The terminal behind a descriptor (termios(3)).
package enum Terminal {
  package static func isTerminal(_ number: Int32) -> Bool {
    isatty(number) == 1
  }

  /// The session of this process, to which its terminal belongs (getsid(2)).
  package static var session: Int32 { getsid(0) }

  /// Columns and rows; nil when it is no terminal or has no size.
  package static func size(_ number: Int32) -> (columns: Int, rows: Int)? {
    var size = winsize()
    guard unsafe ioctl(number, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Whether this process is in the terminal's foreground: changing the terminal from the background stops
  /// a process.
  package static func isForeground(_ number: Int32) -> Bool {
    tcgetpgrp(number) == getpgrp()
  }

  /// Whether another process group is in the foreground of this process's own terminal.
  ///
  /// For example a shell with a prompt, at which a person types. False for other terminals, which cannot be
  /// asked (tcgetpgrp(3)).
  package static func isBackground(_ number: Int32) -> Bool {
    let group = tcgetpgrp(number)
    return group > 0 && group != getpgrp()
  }

  /// The terminal's device, such as `/dev/pts/3`; nil when it is no terminal.
  package static func name(_ number: Int32) -> String? {
    var room = [CChar](repeating: 0, count: 256)
    guard unsafe ttyname_r(number, &room, room.count) == 0 else { return nil }
    return String(decoding: room.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// A terminal that delivers single keys without echo while this value lives; afterwards it is restored.
package struct TerminalKeys: ~Copyable {
  private let number: Int32
  private let before: termios
  private let within: termios

  /// Takes the keys; with `keepsSignals`, Ctrl-C and Ctrl-Z still send their signals; `isRaw`: all bytes pass
  /// unchanged in both directions, for another terminal (cfmakeraw(3)).
  package init(
    _ number: Int32, keepsSignals: Bool = true, isRaw: Bool = false
  ) throws(SystemError) {
    var settings = termios()
    guard unsafe tcgetattr(number, &settings) == 0 else {
      throw SystemError("examine the terminal", errno)
    }
    let before = settings
    if isRaw { unsafe cfmakeraw(&settings) }
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    if !keepsSignals { settings.c_lflag &= ~tcflag_t(ISIG) }
    try Self.apply(settings, to: number)
    self.before = before
    within = settings
    self.number = number
  }

  deinit {
    suspend()
  }

  /// Restores the terminal, for example before stopping at Ctrl-Z.
  package borrowing func suspend() {
    // A terminal that is gone needs no restoring.
    try? Self.apply(before, to: number)
  }

  private static func apply(_ settings: termios, to number: Int32) throws(SystemError) {
    var settings = settings
    guard unsafe tcsetattr(number, TCSADRAIN, &settings) == 0 else {
      throw SystemError("configure the terminal", errno)
    }
  }

  /// Takes the keys again.
  package borrowing func resume() throws(SystemError) {
    try Self.apply(within, to: number)
  }
}
