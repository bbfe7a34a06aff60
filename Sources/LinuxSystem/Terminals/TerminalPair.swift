internal import Glibc

/// A terminal without a screen: this process reads what a program writes to it (pty(7)).
package struct TerminalPair: ~Copyable {
  /// The output of the program; nonblocking.
  ///
  /// EIO means that the other side is not open anywhere.
  package let master: FileDescriptor
  /// For the program; close it here after starting that.
  package let slaveNumber: Int32
  private var slave: FileDescriptor?

  /// Makes a terminal of this size.
  ///
  /// With `takesKeys` it is as a person's terminal is; otherwise it neither echoes nor changes the output.
  package init(columns: UInt16, rows: UInt16, takesKeys: Bool) throws(SystemError) {
    let pair = try Self.open(Self.size(columns, rows), takesKeys: takesKeys)
    master = FileDescriptor(owning: pair.master)
    slave = FileDescriptor(owning: pair.slave)
    slaveNumber = pair.slave
  }

  /// Makes it the controlling terminal of this process, which must lead a session without one.
  ///
  /// A terminal is hung up when the leader of its session ends, and unread output is lost: so the reader is
  /// the leader, not the program that writes.
  package borrowing func becomeControlling() throws(SystemError) {
    guard ioctl(slaveNumber, UInt(TIOCSCTTY), 0) == 0 else {
      throw SystemError("take a terminal", errno)
    }
  }

  /// Closes the program's side here, so that the end of the last program is noticed.
  package mutating func closeSlave() {
    _ = slave.take()
  }

  /// Changes the size, and tells the programs in its foreground (SIGWINCH).
  ///
  /// The kernel signals only a change; a client that attaches again with the same size needs a redraw, too.
  package borrowing func resize(columns: UInt16, rows: UInt16) {
    var before = winsize()
    let isSame =
      unsafe ioctl(master.number, UInt(TIOCGWINSZ), &before) == 0
      && before.ws_col == columns && before.ws_row == rows
    guard !isSame else {
      return ProcessGroup.signal(tcgetpgrp(master.number), Signal.windowChange)
    }
    var size = Self.size(columns, rows)
    _ = unsafe ioctl(master.number, UInt(TIOCSWINSZ), &size)
  }

  private static func size(_ columns: UInt16, _ rows: UInt16) -> winsize {
    winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
  }

  private static func open(
    _ size: winsize, takesKeys: Bool
  ) throws(SystemError) -> (master: Int32, slave: Int32) {
    var size = size
    var pair: (master: Int32, slave: Int32) = (-1, -1)
    guard unsafe openpty(&pair.master, &pair.slave, nil, nil, &size) == 0 else {
      throw SystemError("make a terminal", errno)
    }
    for number in [pair.master, pair.slave] { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(pair.master, F_SETFL, O_RDWR | O_NONBLOCK)
    var settings = termios()
    if unsafe tcgetattr(pair.slave, &settings) == 0 {
      if takesKeys {
        // The erase key takes a whole character.
        settings.c_iflag |= tcflag_t(IUTF8)
      } else {
        // The log gets plain line feeds, as every other log.
        settings.c_oflag &= ~tcflag_t(ONLCR)
        settings.c_lflag &= ~tcflag_t(ECHO)
      }
      _ = unsafe tcsetattr(pair.slave, TCSANOW, &settings)
    }
    return pair
  }
}
