internal import CLinux
internal import Glibc

extension FileDescriptor {
  /// The result of one attempt to read.
  package enum Reading: Hashable, Sendable {
    /// This many bytes were appended, at least one.
    case bytes(Int)
    /// No data yet (nonblocking descriptors only).
    case wouldBlock
    /// The end of the file, or the other side has closed.
    case end
  }

  /// Reads once, at most `maximum` bytes, and appends them to `bytes`.
  package borrowing func read(
    into bytes: inout [UInt8], maximum: Int = 65536
  ) throws(SystemError) -> Reading {
    let start = bytes.count
    var problem: Int32 = 0
    var count = 0
    unsafe bytes.append(addingCapacity: maximum) { room in
      count = Self.retry { unsafe Glibc.read(number, room, maximum) }
      if count < 0 { problem = errno }
      return max(count, 0)
    }
    if problem == EAGAIN { return .wouldBlock }
    guard problem == 0 else { throw SystemError("read", problem) }
    return bytes.count == start ? .end : .bytes(count)
  }

  /// Reads once at an offset, at most `maximum` bytes; fewer at the end of the file.
  package borrowing func read(at offset: UInt64, maximum: Int) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var problem: Int32 = 0
    unsafe bytes.append(addingCapacity: maximum) { room in
      let count = Self.retry {
        unsafe pread(number, room, maximum, off_t(truncatingIfNeeded: offset))
      }
      if count < 0 { problem = errno }
      return max(count, 0)
    }
    guard problem == 0 else { throw SystemError("read", problem) }
    return bytes
  }

  /// Reads to the end; throws `tooLarge` when more than `limit` bytes are there.
  package borrowing func readToEnd(limit: Int = 64 << 20) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    // Most files that are read whole are small, so the first buffer is small too.
    var piece = 4096
    while case .bytes = try read(into: &bytes, maximum: piece) {
      piece = 65536
      guard bytes.count <= limit else { throw SystemError("read", SystemError.tooLarge) }
    }
    return bytes
  }

  /// Writes once; returns the number of bytes written, or nil when it would block.
  package borrowing func write(_ bytes: ArraySlice<UInt8>) throws(SystemError) -> Int? {
    let (count, problem) = unsafe bytes.withUnsafeBytes { buffer in
      let count = Self.retry { unsafe Glibc.write(number, buffer.baseAddress, buffer.count) }
      return (count, errno)
    }
    guard count < 0 else { return count }
    if problem == EAGAIN { return nil }
    throw SystemError("write", problem)
  }

  /// Writes once; returns the number of bytes written, or nil when it would block.
  package borrowing func write(_ bytes: [UInt8]) throws(SystemError) -> Int? {
    try write(bytes[...])
  }

  /// Writes everything in as many calls as needed; for blocking descriptors.
  package borrowing func writeAll(_ bytes: [UInt8]) throws(SystemError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      guard let count = try write(rest) else { throw SystemError("write", EAGAIN) }
      rest = rest.dropFirst(count)
    }
  }

  /// Writes everything at an offset.
  package borrowing func write(_ bytes: [UInt8], at offset: UInt64) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      let (count, problem) = unsafe bytes.withUnsafeBytes { buffer in
        let count = Self.retry {
          unsafe pwrite(
            number, buffer.baseAddress?.advanced(by: done), buffer.count - done,
            off_t(truncatingIfNeeded: offset) + off_t(done))
        }
        return (count, errno)
      }
      guard count > 0 else { throw SystemError("write", count < 0 ? problem : EIO) }
      done += count
    }
  }

  private static func retry(_ call: () -> Int) -> Int {
    while true {
      let result = call()
      if result >= 0 || errno != EINTR { return result }
    }
  }
}

extension [UInt8] {
  /// Lets `fill` write into uninitialized space at the end and keeps as many bytes as it returns.
  @unsafe
  mutating func append(
    addingCapacity capacity: Int, _ fill: (UnsafeMutableRawPointer?) -> Int
  ) {
    let tail = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      count = unsafe fill(UnsafeMutableRawPointer(buffer.baseAddress))
    }
    if isEmpty { self = tail } else { append(contentsOf: tail) }
  }
}
