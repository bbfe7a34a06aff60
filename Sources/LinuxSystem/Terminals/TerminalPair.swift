internal import Glibc

/// A terminal without a screen: what a program writes to it is read here (pty(7)).
package struct TerminalPair: ~Copyable {
  /// What the program writes; nonblocking.
  ///
  /// An error EIO says that nobody has the other side open.
  package let master: FileDescriptor
  /// For the program; to be closed here once it has started.
  package let slaveNumber: Int32
  private var slave: FileDescriptor?

  /// Makes one of this size.
  ///
  /// It changes nothing of what is written and echoes nothing.
  package init(columns: UInt16, rows: UInt16) throws(SystemError) {
    let pair = try Self.open(winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0))
    master = FileDescriptor(owning: pair.master)
    slave = FileDescriptor(owning: pair.slave)
    slaveNumber = pair.slave
  }

  /// Makes it the terminal of this process's session, which has none and is led by this process.
  ///
  /// A terminal is hung up when the leader of its session ends, and what nobody has read of it is lost:
  /// so the leader is whoever reads it, not the program that writes.
  package borrowing func becomeControlling() throws(SystemError) {
    guard ioctl(slaveNumber, UInt(TIOCSCTTY), 0) == 0 else {
      throw SystemError("take a terminal", errno)
    }
  }

  /// Closes the program's side here, so that the end of the last program is seen.
  package mutating func closeSlave() {
    _ = slave.take()
  }

  private static func open(_ size: winsize) throws(SystemError) -> (master: Int32, slave: Int32) {
    var size = size
    var pair: (master: Int32, slave: Int32) = (-1, -1)
    guard unsafe openpty(&pair.master, &pair.slave, nil, nil, &size) == 0 else {
      throw SystemError("make a terminal", errno)
    }
    for number in [pair.master, pair.slave] { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(pair.master, F_SETFL, O_RDWR | O_NONBLOCK)
    var settings = termios()
    if unsafe tcgetattr(pair.slave, &settings) == 0 {
      // The log gets line ends as every other log has them.
      settings.c_oflag &= ~tcflag_t(ONLCR)
      settings.c_lflag &= ~tcflag_t(ECHO)
      _ = unsafe tcsetattr(pair.slave, TCSANOW, &settings)
    }
    return pair
  }
}
