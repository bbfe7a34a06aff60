import Glibc

/// A descriptor that closes with its owner.
final class OwnedDescriptor {
  let number: Int32
  private var isOpen = true

  init(_ number: Int32) {
    self.number = number
  }

  func close() {
    guard isOpen else { return }
    isOpen = false
    _ = Glibc.close(number)
  }

  /// Reads everything that is available without waiting; `ended` when the other side has closed.
  ///
  /// The descriptor must be non-blocking. EIO is how the master of a terminal reports that the other side
  /// is closed everywhere (`man 4 pty`).
  func drain() -> (bytes: [UInt8], ended: Bool) {
    var collected: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while isOpen {
      let count = unsafe read(number, &buffer, buffer.count)
      if count > 0 {
        collected += buffer[..<count]
      } else if count < 0 && errno == EINTR {
        continue
      } else {
        return (collected, count == 0 || errno != EAGAIN)
      }
    }
    return (collected, true)
  }

  func setNonBlocking() {
    _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
  }

  deinit {
    close()
  }
}
