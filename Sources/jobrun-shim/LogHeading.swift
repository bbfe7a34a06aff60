internal import LinuxSystem

/// The line between two attempts in a log.
enum LogHeading {
  /// Writes it behind what an attempt before has written; nothing where nothing was.
  static func write(_ heading: String, to log: borrowing FileDescriptor, path: String) {
    guard !heading.isEmpty, let size = try? log.size(), size > 0 else { return }
    let last = try? File.open(path).read(at: size - 1, maximum: 1)
    let start = last == [0x0A] ? "" : "\n"
    // Without room for the line the attempt begins all the same.
    _ = try? log.write(Array("\(start)\(heading)\n".utf8))
  }
}
