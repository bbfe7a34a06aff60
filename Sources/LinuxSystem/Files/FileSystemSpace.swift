internal import CLinux

/// The file system that a path is on (statfs(2)).
package struct FileSystemSpace: Hashable, Sendable {
  /// What this user may still write.
  package var freeBytes: UInt64
  package var totalBytes: UInt64
  /// It is served over a network or by a program in user space: locks and shared memory on it
  /// cannot be trusted.
  package var isNetwork: Bool
  /// Its files are in memory, so that no fault of a disk takes back what was written.
  package var isMemory: Bool

  /// Throws `notFound` when the path does not exist.
  package init(path: String) throws(SystemError) {
    var raw = clinux_space()
    try SystemError.check(
      unsafe clinux_space(path, &raw), "examine the file system of", path: path)
    freeBytes = raw.free_bytes
    totalBytes = raw.total_bytes
    isNetwork = clinux_is_network(raw.type) == 1
    isMemory = clinux_is_memory(raw.type) == 1
  }

  /// The number of the mount that `path` is on; no other of this boot has it, not even one of the same disk.
  ///
  /// Nil where the kernel gives no such numbers (before Linux 6.8), or nothing is there.
  package static func mountNumber(of path: String) -> UInt64? {
    var number: UInt64 = 0
    return unsafe clinux_mount(path, &number) == 0 ? number : nil
  }
}
