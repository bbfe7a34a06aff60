import LinuxSystem

/// Room that a file has before anything is written there.
///
/// A file system makes a write durable twice as fast where nothing but the bytes change: growing the
/// file, it writes its own journal, too, with all that happened to other files meanwhile.
enum WALPreallocation {
  /// A disk with less is better used for what is needed.
  private static let minimumFreeBytes: UInt64 = 256 << 20

  /// Writes zeros from the end of the file, which must be nobody else's, up to this size.
  ///
  /// SQLite takes zeros behind the log's last frame for its end: a frame without a valid checksum is
  /// none. What fails is left: it costs time and no more.
  static func reserve(_ path: String, bytes: UInt64) {
    guard let file = try? File.open(path, [.read, .write, .noFollow]),
      let size = try? file.size(), size < bytes,
      let space = try? FileSystemSpace(path: path), space.freeBytes > minimumFreeBytes
    else { return }
    try? file.write([UInt8](repeating: 0, count: Int(bytes - size)), at: size)
  }
}
