internal import JobClient
internal import JobWire
internal import LinuxSystem

/// Where data goes.
enum StandardOutput {
  /// A closed pipe is no error: its reader has read all it needs.
  ///
  /// - Throws: `cannotCreate`, when the output cannot be written.
  static func write(_ bytes: [UInt8]) throws(WireError) {
    do throws(SystemError) {
      try FileDescriptor(owning: 1).writeAll(bytes)
    } catch {
      guard error.number == SystemError.brokenPipe else {
        throw WireError(.cannotCreate, "\(error)")
      }
    }
  }
}
