internal import Glibc

/// A descriptor that is owned and closed elsewhere, such as standard input.
package struct BorrowedDescriptor: Hashable, Sendable {
  package let number: Int32

  package init(_ number: Int32) {
    self.number = number
  }

  /// Kind, size, owner and times of the open file.
  package func status() throws(SystemError) -> FileStatus {
    try lent { descriptor throws(SystemError) in try descriptor.status() }
  }

  /// The position of the next read in bytes; nil when the file has no position.
  package func position() -> UInt64? {
    let offset = lseek(number, 0, SEEK_CUR)
    return offset < 0 ? nil : UInt64(offset)
  }

  /// Reads once, and appends to `bytes`.
  package func read(into bytes: inout [UInt8]) throws(SystemError) -> FileDescriptor.Reading {
    var read: [UInt8] = []
    let reading = try lent { descriptor throws(SystemError) in try descriptor.read(into: &read) }
    bytes += read
    return reading
  }

  /// Reads from the current position to the end, however long that takes; throws `tooLarge` past `limit`
  /// bytes.
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

  /// Reads once at an offset, independent of the position; fewer bytes at the end of the file.
  package func read(at offset: UInt64, maximum: Int) throws(SystemError) -> [UInt8] {
    try lent { descriptor throws(SystemError) in
      try descriptor.read(at: offset, maximum: maximum)
    }
  }

  /// Waits until there is data or the end of the file; false at the deadline.
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
