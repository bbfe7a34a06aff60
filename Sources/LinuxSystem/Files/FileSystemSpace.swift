internal import CLinux

/// The file system that a path is on (statfs(2)).
package struct FileSystemSpace: Hashable, Sendable {
  /// The space that this user may still use.
  package var freeBytes: UInt64
  package var totalBytes: UInt64
  /// The file system is served over a network or by a program in user space: its locks and shared memory
  /// are not reliable.
  package var isNetwork: Bool
  /// The file system is in memory, so that no disk error can lose what was written.
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

  /// The number of the mount of `path`, unique within this boot, even among mounts of one disk.
  ///
  /// Nil where the kernel has no such numbers (before Linux 6.8), or the path does not exist.
  package static func mountNumber(of path: String) -> UInt64? {
    var number: UInt64 = 0
    return unsafe clinux_mount(path, &number) == 0 ? number : nil
  }
}
