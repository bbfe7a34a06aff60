internal import LinuxSystem

/// The space of the file system that a folder is on (statfs(2)).
package struct DiskProbe: Probe {
  package struct Amount: Equatable, Sendable {
    package var totalBytes: UInt64
    /// The space that this user may still write.
    package var freeBytes: UInt64

    package init(totalBytes: UInt64, freeBytes: UInt64) {
      self.totalBytes = totalBytes
      self.freeBytes = freeBytes
    }
  }

  private let path: String

  /// A folder that need not exist yet: the nearest one above it counts.
  package init(path: String) {
    self.path = path
  }

  package func read(_ tree: SystemTree) -> Reading<Amount> {
    var folder = path
    while !tree.exists(folder), folder != "/", folder != "." { folder = File.parent(of: folder) }
    guard let space = tree.space(folder) else {
      return .absent(because: "the file system of \(path) cannot be examined")
    }
    return .present(
      Amount(totalBytes: space.total, freeBytes: min(space.free, space.total)),
      why: "the file system of \(path)")
  }
}
