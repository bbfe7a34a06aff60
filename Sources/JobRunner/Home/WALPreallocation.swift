import LinuxSystem

/// Preallocates a file.
///
/// A file system makes a write durable twice as fast if only the file's data changes: when the file grows, the
/// file system also writes its journal, with the changes of all other files meanwhile.
enum WALPreallocation {
  /// A disk with less free space is left alone.
  private static let minimumFreeBytes: UInt64 = 256 << 20

  /// Writes zeros from the end of the file, which must be the caller's alone, up to this size.
  ///
  /// SQLite takes zeros behind the log's last frame for its end, because a frame without a valid checksum is
  /// ignored. Failures are ignored: they only cost time.
  static func reserve(_ path: String, bytes: UInt64) {
    guard let file = try? File.open(path, [.read, .write, .noFollow]),
      let size = try? file.size(), size < bytes,
      let space = try? FileSystemSpace(path: path), space.freeBytes > minimumFreeBytes
    else { return }
    try? file.write([UInt8](repeating: 0, count: Int(bytes - size)), at: size)
  }
}
