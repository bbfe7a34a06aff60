internal import LinuxSystem

/// The line between two attempts in a log: `NAME, TIME`.
enum LogHeading {
  private static let longest: UInt64 = 256

  /// Writes the line after the output of an earlier attempt; nothing in an empty log, or where a deferred
  /// start of the same attempt has already written it.
  static func write(_ heading: String, to log: borrowing FileDescriptor, path: String) {
    guard !heading.isEmpty, let size = try? log.size(), size > 0 else { return }
    let from = size - min(size, longest)
    let end = (try? File.open(path).read(at: from, maximum: Int(longest))) ?? []
    let name = heading.utf8.prefix { $0 != UInt8(ascii: ",") }
    if end.split(separator: 0x0A).last?.starts(with: name) == true { return }
    let start = end.last == 0x0A ? "" : "\n"
    // Without space for the line the attempt starts all the same.
    _ = try? log.write(Array("\(start)\(heading)\n".utf8))
  }
}
