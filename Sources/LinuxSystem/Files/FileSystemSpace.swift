internal import CLinux

/// The file system that a path is on (statfs(2)).
package struct FileSystemSpace: Hashable, Sendable {
  /// What this user may still write.
  package var freeBytes: UInt64
  package var totalBytes: UInt64
  /// It is served over a network or by a program in user space: locks and shared memory on it
  /// cannot be trusted.
  package var isNetwork: Bool

  /// Throws `notFound` when the path does not exist.
  package init(path: String) throws(SystemError) {
    var raw = clinux_space()
    try SystemError.check(
      unsafe clinux_space(path, &raw), "examine the file system of", path: path)
    freeBytes = raw.free_bytes
    totalBytes = raw.total_bytes
    isNetwork = clinux_is_network(raw.type) == 1
  }
}
