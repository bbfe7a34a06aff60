package import LinuxSystem

/// Wakes a thread that waits for a descriptor; rung before the wait, it wakes it too.
package final class WakeupPipe: Sendable {
  private let reading: FileDescriptor
  private let writing: FileDescriptor

  package init() throws(SystemError) {
    var pipe = try LinuxSystem.Pipe()
    reading = pipe.takeReading()
    writing = pipe.takeWriting()
    try reading.setNonblocking(true)
    try writing.setNonblocking(true)
  }

  package func ring() {
    // A full pipe is a wakeup that rings already.
    _ = try? writing.write([1])
  }

  /// Waits for the wakeup or the descriptor, at most until the deadline (on `AwakeClock`).
  package func wait(beside number: Int32?, until deadline: UInt64? = nil) {
    var watched: [(number: Int32, interest: Interest)] = [(reading.number, .readable)]
    if let number { watched.append((number, .readable)) }
    // An error shows when the connection is next used.
    _ = try? Poll.wait(watched, until: deadline)
    var bytes: [UInt8] = []
    _ = try? reading.read(into: &bytes)
  }
}
