internal import CLinux

/// One end of a Unix stream socket; nonblocking.
package struct UnixConnection: ~Copyable {
  /// The result of one attempt to receive.
  package struct Reception: ~Copyable {
    package let reading: FileDescriptor.Reading
    /// The received descriptor, if any; of several only the first two are kept open.
    package var descriptor: FileDescriptor?
    /// The second descriptor.
    package var second: FileDescriptor?
    /// A descriptor was lost, as this process has reached its limit of open ones.
    package let isIncomplete: Bool

    /// Moves the descriptor out.
    package mutating func takeDescriptor() -> FileDescriptor? {
      descriptor.take()
    }

    /// Moves the second descriptor out.
    package mutating func takeSecond() -> FileDescriptor? {
      second.take()
    }
  }

  private let descriptor: FileDescriptor

  package init(owning descriptor: consuming FileDescriptor) {
    self.descriptor = descriptor
  }

  /// Connects; throws `notFound` or `connectionRefused` when there is no listener, and `wouldBlock` when
  /// the listener's queue is full: try again a little later.
  package init(connectingTo path: String) throws(SystemError) {
    let address = try UnixAddress(path)
    let socket = FileDescriptor(
      owning: try SystemError.check(clinux_socket(), "make a socket"))
    try SystemError.check(
      unsafe clinux_connect(socket.number, address.path), "connect to", path: path)
    descriptor = socket
  }

  /// For an event loop.
  package var number: Int32 { descriptor.number }

  /// User and pid of the other end, from the kernel (SO_PEERCRED).
  package borrowing func peer() throws(SystemError) -> (user: UInt32, pid: Int32) {
    var user: UInt32 = 0
    var pid: Int32 = 0
    try SystemError.check(
      unsafe clinux_peer(descriptor.number, &user, &pid), "identify the peer")
    return (user, pid)
  }

  /// Sends once; returns the number of bytes sent, or nil when it would block.
  ///
  /// The other side gets duplicates of the passed descriptors, at most two; they go with the first byte, so
  /// they are sent as soon as any byte is.
  package borrowing func send(
    _ bytes: ArraySlice<UInt8>, passing other: Int32? = nil, and second: Int32? = nil
  ) throws(SystemError) -> Int? {
    let result = unsafe bytes.withUnsafeBytes { buffer in
      unsafe clinux_send(
        descriptor.number, buffer.baseAddress, buffer.count, other ?? -1, second ?? -1)
    }
    if result == -Int64(SystemError.wouldBlock) { return nil }
    return Int(try SystemError.check(result, "send"))
  }

  /// Sends once; returns the number of bytes sent, or nil when it would block.
  package borrowing func send(
    _ bytes: [UInt8], passing other: Int32? = nil
  ) throws(SystemError) -> Int? {
    try send(bytes[...], passing: other)
  }

  /// Sends everything, waiting as needed; throws `wouldBlock` at the deadline.
  package borrowing func sendAll(
    _ bytes: [UInt8], passing other: Int32? = nil, and second: Int32? = nil,
    until deadline: UInt64? = nil
  ) throws(SystemError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let isFirst = rest.count == bytes.count
      let (one, two) = isFirst ? (other, second) : (nil, nil)
      if let count = try send(rest, passing: one, and: two) {
        rest = rest.dropFirst(count)
      } else if try !Poll.wait(descriptor.number, .writable, until: deadline) {
        throw SystemError("send", SystemError.wouldBlock)
      }
    }
  }

  /// The maximum number of bytes of one attempt to receive.
  package static let receptionBytes = 65_536

  /// Receives once and appends to `bytes`.
  package borrowing func receive(
    into bytes: inout [UInt8], maximum: Int = receptionBytes
  ) throws(SystemError) -> Reception {
    var passed: Int32 = -1
    var beside: Int32 = -1
    var isIncomplete = false
    var result: Int64 = 0
    unsafe bytes.append(addingCapacity: maximum) { room in
      result = unsafe clinux_receive(
        descriptor.number, room, maximum, &passed, &beside, &isIncomplete)
      return Int(max(result, 0))
    }
    let other = passed < 0 ? nil : FileDescriptor(owning: passed)
    let second = beside < 0 ? nil : FileDescriptor(owning: beside)
    if result == -Int64(SystemError.wouldBlock) {
      return Reception(
        reading: .wouldBlock, descriptor: other, second: second, isIncomplete: isIncomplete)
    }
    let count = Int(try SystemError.check(result, "receive"))
    return Reception(
      reading: count == 0 ? .end : .bytes(count), descriptor: other, second: second,
      isIncomplete: isIncomplete)
  }
}
