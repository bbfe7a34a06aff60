internal import CLinux

/// A file of 4096 bytes by which two machines tell each other something over a file system that both see.
///
/// It is written and read whole and never mapped, and it is never replaced: on NFS a mapping shows nothing
/// new, what is written stays on its machine for seconds unless it is synchronised, and a descriptor that is
/// kept shows old bytes unless it goes past the page cache (O_DIRECT).
package struct SharedPage: ~Copyable {
  package static let size = 4096

  private let path: String
  /// Nil where the file system does not read so: then it is opened for each look, which asks the server.
  private var direct: FileDescriptor?

  package init(path: String) throws(SystemError) {
    self.path = path
    let number = unsafe clinux_open_direct(path)
    direct = number >= 0 ? FileDescriptor(owning: number) : nil
    if number < 0, number != -SystemError.invalid {
      try SystemError.check(number, "open", path: path)
    }
  }

  /// What is there now; fewer bytes where somebody has cut the file.
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

  /// Makes the file, which nobody else has open yet; whoever looks from elsewhere sees it, and whether a
  /// power cut takes it is up to who calls.
  package static func create(_ path: String, _ bytes: [UInt8]) throws(SystemError) {
    try File.remove(path)
    let file = try File.open(path, [.write, .create, .exclusive, .noFollow])
    try file.writeAll(bytes)
  }

  /// Writes all of it, and waits until whoever looks sees it.
  package static func write(
    _ bytes: [UInt8], to file: borrowing FileDescriptor
  ) throws(SystemError) {
    try file.write(bytes, at: 0)
    try file.synchroniseContent()
  }
}
