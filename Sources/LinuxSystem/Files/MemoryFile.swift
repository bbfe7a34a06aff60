internal import CLinux
internal import Glibc

/// An unnamed file in memory (memfd_create(2)), for content that is passed to another process as a
/// descriptor.
package enum MemoryFile {
  /// Makes a file with this content, positioned at the start.
  package static func make(
    _ content: [UInt8], name: String = "jobrun"
  ) throws(SystemError) -> FileDescriptor {
    let descriptor = FileDescriptor(
      owning: try SystemError.check(unsafe clinux_memory_file(name), "make a memory file"))
    try descriptor.write(content, at: 0)
    return descriptor
  }

  /// The whole content, independent of the position; throws `tooLarge` past `limit` bytes.
  ///
  /// The sender may still change the file, so it is read with pread(2) and never mapped. Anything but a
  /// regular file throws `invalid`: a pipe could block the reader for ever.
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
