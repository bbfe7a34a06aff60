internal import JobClient
internal import JobWire
internal import LinuxSystem

/// Where data goes.
enum StandardOutput {
  /// - Throws: `cannotCreate`, when nobody takes it.
  static func write(_ bytes: [UInt8]) throws(WireError) {
    try WireError.from(.cannotCreate) { () throws(SystemError) in
      try FileDescriptor(owning: 1).writeAll(bytes)
    }
  }
}
