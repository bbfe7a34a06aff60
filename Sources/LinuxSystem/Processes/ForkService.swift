internal import CLinux

/// The other side of `ForkServer`, in the process that is copied.
package enum ForkService {
  /// Makes copies until nobody can ask for any more; true in a copy, with what it was given.
  ///
  /// This process must have a single thread. Whatever it has made ready before is ready in each copy.
  package static func serve(
    _ socket: consuming FileDescriptor, _ first: inout FileDescriptor?,
    _ second: inout FileDescriptor?, _ third: inout FileDescriptor?
  ) throws(SystemError) -> Bool {
    let connection = UnixConnection(owning: socket)
    while true {
      first = try descriptor(from: connection, &third)
      second = try descriptor(from: connection, &third)
      guard first != nil, second != nil else { return false }
      let copy = clinux_fork_sibling()
      if copy == 0 {
        // Before anybody hears of it: whoever does may end its whole group.
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

  /// The next one that comes, and what comes with it; nil when none will.
  private static func descriptor(
    from connection: borrowing UnixConnection, _ other: inout FileDescriptor?
  ) throws(SystemError) -> FileDescriptor? {
    var byte: [UInt8] = []
    while byte.isEmpty {
      _ = try Poll.wait(connection.number, until: nil)
      var reception = try connection.receive(into: &byte, maximum: 1)
      if reception.reading == .end { return nil }
      other = reception.takeSecond()
      if let descriptor = reception.takeDescriptor() { return descriptor }
    }
    return nil
  }

  private static func answer(
    _ number: Int32, on connection: borrowing UnixConnection
  ) throws(SystemError) {
    let bits = UInt32(bitPattern: number)
    try connection.sendAll((0..<4).map { UInt8(truncatingIfNeeded: bits >> ($0 * 8)) })
  }
}
