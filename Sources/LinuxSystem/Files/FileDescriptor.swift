internal import CLinux
internal import Glibc

/// An open descriptor, owned: closed when the value goes away.
///
/// Close-on-exec, always.
package struct FileDescriptor: ~Copyable, Sendable {
  /// The kernel's number; valid as long as this value lives.
  package private(set) var number: Int32

  /// Takes ownership of an open descriptor.
  package init(owning number: Int32) {
    self.number = number
  }

  deinit {
    if number >= 0 { _ = close(number) }
  }

  /// Releases the number; the caller closes it.
  package consuming func take() -> Int32 {
    defer { number = -1 }
    return number
  }

  /// A second descriptor for the same open file.
  package borrowing func duplicate() throws(SystemError) -> FileDescriptor {
    let copy = fcntl(number, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { throw SystemError("duplicate a descriptor", errno) }
    return FileDescriptor(owning: copy)
  }

  /// Switches between blocking and answering `wouldBlock` at once.
  package borrowing func setNonblocking(_ on: Bool) throws(SystemError) {
    let flags = fcntl(number, F_GETFL)
    guard flags >= 0, fcntl(number, F_SETFL, on ? flags | O_NONBLOCK : flags & ~O_NONBLOCK) >= 0
    else { throw SystemError("configure a descriptor", errno) }
  }

  /// Kind, size, owner and times of the open file.
  package borrowing func status() throws(SystemError) -> FileStatus {
    var raw = clinux_status()
    try SystemError.check(unsafe clinux_status_of(number, &raw), "examine a descriptor")
    return FileStatus(raw)
  }
}
