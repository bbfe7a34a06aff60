internal import Glibc

/// A file of a few kilobytes, read and replaced as a whole.
package enum SmallFile {
  /// Its content; nil, with `errno` set, when it is missing, cannot be read or is larger than `most`.
  ///
  /// `isOwn`: a file that others may have written counts as missing.
  package static func read(_ path: BytePath, most: Int, isOwn: Bool = false) -> [UInt8]? {
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (isOwn ? O_NOFOLLOW : 0)
    let descriptor = unsafe path.withCString { unsafe open($0, flags) }
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    if isOwn, OwnFile.fault(of: descriptor, at: path) != nil {
      errno = EPERM
      return nil
    }
    let block = ReadBlock()
    var bytes: [UInt8] = []
    while true {
      let count = block.fill(from: descriptor)
      guard count >= 0 else { return nil }
      unsafe bytes.append(contentsOf: block.bytes(count))
      guard bytes.count <= most else {
        errno = EFBIG
        return nil
      }
      if count < block.count { return bytes }
    }
  }

  /// A reader finds the old content or the new; false, with `errno` set, when the old one stays.
  ///
  /// `durably`: the new one is on the disk before it gets the name.
  package static func replace(
    _ path: BytePath, with bytes: [UInt8], durably: Bool = false
  ) -> Bool {
    let new = newPath(of: path)
    // A leftover of a killed process, or another user's file.
    remove(new)
    let descriptor = OwnFile.make(new, mode: 0o600)
    guard descriptor >= 0 else { return false }
    let written = unsafe bytes.withUnsafeBytes {
      unsafe write(descriptor, $0.baseAddress, $0.count)
    }
    let isWhole = written == bytes.count
    if written >= 0, !isWhole { errno = ENOSPC }
    let number = !isWhole || durably && fsync(descriptor) != 0 ? errno : 0
    close(descriptor)
    guard number == 0 else {
      errno = number
      return false
    }
    return unsafe new.withCString { from in
      unsafe path.withCString { unsafe rename(from, $0) }
    } == 0
  }

  /// Removes what a process that was killed while it replaced the file left beside it.
  package static func removeLeftover(of path: BytePath) { remove(newPath(of: path)) }

  private static func newPath(of path: BytePath) -> BytePath {
    BytePath(path.bytes + Array(".new".utf8))
  }

  /// A missing file is no error.
  package static func remove(_ path: BytePath) {
    _ = unsafe path.withCString { unsafe unlink($0) }
  }
}
