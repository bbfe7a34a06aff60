internal import CLinux
internal import Glibc

/// A file without a name, in memory (memfd_create(2)): for content that is passed to another
/// process as a descriptor.
package enum MemoryFile {
  /// A new one with this content, its position at the start.
  package static func make(
    _ content: [UInt8], name: String = "jobrun"
  ) throws(SystemError) -> FileDescriptor {
    let descriptor = FileDescriptor(
      owning: try SystemError.check(unsafe clinux_memory_file(name), "make a memory file"))
    try descriptor.write(content, at: 0)
    return descriptor
  }

  /// The whole content, wherever the position is; throws `tooLarge` past `limit` bytes.
  ///
  /// The sender may still change the file, so it is read with pread(2) and never mapped. What is
  /// not a regular file throws `invalid`: a pipe could make the reader wait for ever.
  package static func content(
    of descriptor: borrowing FileDescriptor, limit: Int
  ) throws(SystemError) -> [UInt8] {
    let status = try descriptor.status()
    guard status.kind == .file else {
      throw SystemError("read a memory file", SystemError.invalid)
    }
    guard status.size <= UInt64(limit) else {
      throw SystemError("read a memory file", SystemError.tooLarge)
    }
    var content: [UInt8] = []
    while content.count < Int(status.size) {
      let part = try descriptor.read(
        at: UInt64(content.count), maximum: Int(status.size) - content.count)
      if part.isEmpty { break }
      content += part
    }
    return content
  }
}
