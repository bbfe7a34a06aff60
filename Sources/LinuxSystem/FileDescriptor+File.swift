internal import CLinux
internal import Glibc

extension FileDescriptor {
  /// Takes the advisory lock of the open file (flock(2)); false when another holds it.
  ///
  /// The lock goes with the last descriptor of this opening, also when its process is killed.
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

  /// In bytes.
  package borrowing func size() throws(SystemError) -> UInt64 {
    try status().size
  }

  /// Cuts or extends the file to `size` bytes; new ones are 0.
  package borrowing func resize(to size: UInt64) throws(SystemError) {
    guard ftruncate(number, off_t(truncatingIfNeeded: size)) == 0 else {
      throw SystemError("resize a file", errno)
    }
  }

  /// Waits until the content has reached the disk (fsync(2)).
  package borrowing func synchronise() throws(SystemError) {
    guard fsync(number) == 0 else { throw SystemError("synchronise a file", errno) }
  }

  /// As `synchronise`, without the times of the file (fdatasync(2)).
  package borrowing func synchroniseContent() throws(SystemError) {
    guard fdatasync(number) == 0 else { throw SystemError("synchronise a file", errno) }
  }
}
