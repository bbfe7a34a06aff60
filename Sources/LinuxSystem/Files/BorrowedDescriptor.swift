internal import Glibc

/// A descriptor that somebody else owns and closes, such as standard input.
package struct BorrowedDescriptor: Hashable, Sendable {
  package let number: Int32

  package init(_ number: Int32) {
    self.number = number
  }

  /// Kind, size, owner and times of what is open.
  package func status() throws(SystemError) -> FileStatus {
    try lent { descriptor throws(SystemError) in try descriptor.status() }
  }

  /// Where it is read next, in bytes; nil where there is no such place.
  package func position() -> UInt64? {
    let place = lseek(number, 0, SEEK_CUR)
    return place < 0 ? nil : UInt64(place)
  }

  /// Reads once, and appends to `bytes`.
  package func read(into bytes: inout [UInt8]) throws(SystemError) -> FileDescriptor.Reading {
    var read: [UInt8] = []
    let reading = try lent { descriptor throws(SystemError) in try descriptor.read(into: &read) }
    bytes += read
    return reading
  }

  /// Reads from where it is up to its end, however long that takes; throws `tooLarge` past `limit` bytes.
  package func readToEnd(limit: Int) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      switch try read(into: &bytes) {
      case .end: return bytes
      case .wouldBlock: _ = try waitToRead(until: nil)
      case .bytes:
        guard bytes.count <= limit else { throw SystemError("read", SystemError.tooLarge) }
      }
    }
  }

  /// Reads once at an offset, wherever the position is; fewer bytes at the end of the file.
  package func read(at offset: UInt64, maximum: Int) throws(SystemError) -> [UInt8] {
    try lent { descriptor throws(SystemError) in
      try descriptor.read(at: offset, maximum: maximum)
    }
  }

  /// Waits until there is something to read, or its end; false at the deadline.
  package func waitToRead(until deadline: UInt64?) throws(SystemError) -> Bool {
    try Poll.wait(number, .readable, until: deadline)
  }

  private func lent<Value>(
    _ body: (borrowing FileDescriptor) throws(SystemError) -> Value
  ) throws(SystemError) -> Value {
    let descriptor = FileDescriptor(owning: number)
    do throws(SystemError) {
      let value = try body(descriptor)
      _ = descriptor.take()
      return value
    } catch {
      _ = descriptor.take()
      throw error
    }
  }
}
