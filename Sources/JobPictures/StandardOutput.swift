internal import JobClient
internal import JobWire
internal import LinuxSystem

/// Where data goes.
enum StandardOutput {
  /// A reader that has gone has read what it wanted.
  ///
  /// - Throws: `cannotCreate`, when nobody takes it.
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
