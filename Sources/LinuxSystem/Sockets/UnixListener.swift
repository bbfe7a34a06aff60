internal import CLinux

/// A listening Unix stream socket, for its owner only (mode 0600); nonblocking.
package struct UnixListener: ~Copyable {
  private let descriptor: FileDescriptor

  /// Binds and listens; throws `addressInUse` when the path exists, even as a stale socket: a caller must
  /// hold a lock on the path before removing it.
  package init(path: String) throws(SystemError) {
    let address = try UnixAddress(path)
    let socket = FileDescriptor(
      owning: try SystemError.check(clinux_socket(), "make a socket"))
    try SystemError.check(
      unsafe clinux_bind(socket.number, address.path), "listen on", path: path)
    try File.setPermissions(0o600, address.path)
    descriptor = socket
  }

  /// For an event loop: readable when a connection waits.
  package var number: Int32 { descriptor.number }

  /// Accepts one waiting connection; nil when none waits.
  package borrowing func accept() throws(SystemError) -> UnixConnection? {
    while true {
      let result = clinux_accept(descriptor.number)
      if result == -SystemError.wouldBlock { return nil }
      // ECONNABORTED: the client has left again; there may be another one.
      if result == -SystemError.interrupted || result == -103 { continue }
      try SystemError.check(result, "accept a connection")
      return UnixConnection(owning: FileDescriptor(owning: result))
    }
  }
}
