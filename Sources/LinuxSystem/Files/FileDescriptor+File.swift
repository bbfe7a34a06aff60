internal import CLinux
internal import Glibc

extension FileDescriptor {
  /// Takes the advisory lock of the open file (flock(2)); false when another process holds it.
  ///
  /// The lock is released with the last descriptor of this opening, also when its process is killed.
  package borrowing func tryLock(exclusive: Bool = true) throws(SystemError) -> Bool {
    let result = clinux_lock(number, exclusive ? 1 : 0, 0)
    if result == -EWOULDBLOCK { return false }
    try SystemError.check(result, "lock a file")
    return true
  }

  /// Waits for the advisory lock of the open file.
  package borrowing func lock(exclusive: Bool = true) throws(SystemError) {
    try SystemError.check(clinux_lock(number, exclusive ? 1 : 0, 1), "lock a file")
  }

  package borrowing func unlock() {
    _ = flock(number, LOCK_UN)
  }

  /// Whether this descriptor is the only one, of any process, for the file, and nothing maps it; false
  /// where the kernel cannot tell.
  ///
  /// The file must belong to this user and be open for writing.
  package borrowing func isSole() -> Bool { clinux_is_sole(number) == 1 }

  /// In bytes.
  package borrowing func size() throws(SystemError) -> UInt64 {
    try status().size
  }

  /// Cuts or extends the file to `size` bytes; added bytes are 0.
  package borrowing func resize(to size: UInt64) throws(SystemError) {
    guard ftruncate(number, off_t(truncatingIfNeeded: size)) == 0 else {
      throw SystemError("resize a file", errno)
    }
  }

  /// Waits until the content has reached the disk (fsync(2)).
  package borrowing func synchronise() throws(SystemError) {
    guard fsync(number) == 0 else { throw SystemError("synchronise a file", errno) }
  }

  /// As `synchronise`, without the timestamps of the file (fdatasync(2)).
  package borrowing func synchroniseContent() throws(SystemError) {
    guard fdatasync(number) == 0 else { throw SystemError("synchronise a file", errno) }
  }
}

// Locations in the file system, by descriptor.
extension FileDescriptor {
  /// Opens the entry of this name in this folder as a location only; a symbolic link itself, not its
  /// target.
  package borrowing func openPlace(_ name: String) throws(SystemError) -> FileDescriptor {
    let mode: File.Mode = [.path, .noFollow]
    return FileDescriptor(
      owning: try SystemError.check(
        unsafe clinux_open_at(number, name, mode.flags), "open", path: name))
  }

  /// The target of this symbolic link, which was opened as a location.
  package borrowing func linkTarget() throws(SystemError) -> String {
    var room = [CChar](repeating: 0, count: 4096)
    let count = try SystemError.check(
      unsafe clinux_link_of(number, &room, room.count), "read a link")
    return String(decoding: room[..<Int(count)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Whether a file system is mounted here; nil where the kernel cannot tell.
  package borrowing func isMountRoot() -> Bool? {
    let answer = clinux_is_mount_root(number)
    return answer < 0 ? nil : answer == 1
  }

  /// Whether an access control list grants more than the mode does.
  borrowing func hasAccessList() -> Bool { clinux_has_access_list(number) == 1 }
}
