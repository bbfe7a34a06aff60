internal import CLinux

/// A file of 4096 bytes through which two machines exchange data over a shared file system.
///
/// It is read and written whole, never mapped and never replaced: on NFS a mapping does not update, writes
/// stay on the writing machine for seconds unless they are synchronised, and an open descriptor reads old
/// bytes unless it bypasses the page cache (O_DIRECT).
package struct SharedPage: ~Copyable {
  package static let size = 4096

  private let path: String
  /// Nil where the file system does not support direct reads: then every read opens the file again, which
  /// asks the server.
  private var direct: FileDescriptor?

  package init(path: String) throws(SystemError) {
    self.path = path
    let number = unsafe clinux_open_direct(path)
    direct = number >= 0 ? FileDescriptor(owning: number) : nil
    if number < 0, number != -SystemError.invalid {
      try SystemError.check(number, "open", path: path)
    }
  }

  /// Reads the content; fewer bytes when the file was truncated.
  package mutating func read() throws(SystemError) -> [UInt8] {
    if let number = direct?.number {
      var bytes = [UInt8](repeating: 0, count: Self.size)
      let count = unsafe clinux_read_direct(number, &bytes, bytes.count)
      if count >= 0 { return Array(bytes[..<Int(count)]) }
      guard count == Int64(-SystemError.invalid) else {
        throw SystemError("read", Int32(-count), path: path)
      }
      direct = nil
    }
    return try File.open(path, [.read, .noFollow, .nonblocking])
      .read(at: 0, maximum: Self.size)
  }

  /// Creates the file, visible to other machines on return; making it survive a power cut is up to the
  /// caller.
  package static func create(_ path: String, _ bytes: [UInt8]) throws(SystemError) {
    try File.remove(path)
    let file = try File.open(path, [.write, .create, .exclusive, .noFollow])
    try file.writeAll(bytes)
  }

  /// Writes the whole page and waits until other machines can see it.
  package static func write(
    _ bytes: [UInt8], to file: borrowing FileDescriptor
  ) throws(SystemError) {
    try file.write(bytes, at: 0)
    try file.synchroniseContent()
  }
}
