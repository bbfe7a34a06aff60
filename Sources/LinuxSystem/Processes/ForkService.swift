internal import CLinux

/// The other side of `ForkServer`, in the process that is copied.
package enum ForkService {
  /// Sent with the first two descriptors: a third one follows.
  static let hasThird: UInt8 = 1

  /// Makes copies until the requesting side has closed; returns true in a copy, with its descriptors.
  ///
  /// This process must have a single thread. Everything prepared before the call is ready in each copy.
  package static func serve(
    _ socket: consuming FileDescriptor, _ first: inout FileDescriptor?,
    _ second: inout FileDescriptor?, _ third: inout FileDescriptor?
  ) throws(SystemError) -> Bool {
    let connection = UnixConnection(owning: socket)
    while true {
      var byte: UInt8 = 0
      var none: FileDescriptor?
      guard try receive(from: connection, &byte, &first, &second), second != nil else {
        return false
      }
      if byte == hasThird, try !receive(from: connection, &byte, &third, &none) { return false }
      let copy = clinux_fork_sibling()
      if copy == 0 {
        // Before its pid is reported: the receiver may end its whole group.
        try? CurrentProcess.startSession()
        try answer(CurrentProcess.identifier, on: connection)
        return true
      }
      first = nil
      second = nil
      third = nil
      if copy < 0 { try answer(copy, on: connection) }
    }
  }

  /// Takes the next byte and the descriptors that come with it; false when the other side has closed.
  private static func receive(
    from connection: borrowing UnixConnection, _ byte: inout UInt8,
    _ first: inout FileDescriptor?, _ second: inout FileDescriptor?
  ) throws(SystemError) -> Bool {
    var bytes: [UInt8] = []
    while bytes.isEmpty {
      _ = try Poll.wait(connection.number, until: nil)
      var reception = try connection.receive(into: &bytes, maximum: 1)
      if reception.reading == .end { return false }
      second = reception.takeSecond()
      first = reception.takeDescriptor()
    }
    byte = bytes[0]
    return first != nil
  }

  private static func answer(
    _ number: Int32, on connection: borrowing UnixConnection
  ) throws(SystemError) {
    let bits = UInt32(bitPattern: number)
    try connection.sendAll((0..<4).map { UInt8(truncatingIfNeeded: bits >> ($0 * 8)) })
  }
}
