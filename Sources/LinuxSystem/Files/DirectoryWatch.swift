internal import Glibc

/// Watches a few folders for removal, moves and changed entries, and one file for writes (inotify(7)).
package final class DirectoryWatch {
  private let descriptor: FileDescriptor
  private let paths: [String]

  /// Every change of `file` is reported.
  package init(_ paths: [String], file: String? = nil) throws(SystemError) {
    descriptor = try Self.watch(paths, file)
    self.paths = paths
  }

  private static func watch(
    _ paths: [String], _ file: String?
  ) throws(SystemError) -> FileDescriptor {
    let number = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    guard number >= 0 else { throw SystemError("watch folders", errno) }
    let descriptor = FileDescriptor(owning: number)
    for path in paths {
      // A folder with an open file in it does not report its own removal; its parent folder does.
      let above = UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM) | added
      // A parent folder that this user may not read is not watched.
      _ = unsafe inotify_add_watch(number, File.parent(of: path), above)
      let mask = UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | inside | added
      guard unsafe inotify_add_watch(number, path, mask) >= 0 else {
        throw SystemError("watch", errno, path: path)
      }
    }
    if let file, unsafe inotify_add_watch(number, file, UInt32(IN_MODIFY)) < 0 {
      throw SystemError("watch", errno, path: file)
    }
    return descriptor
  }

  /// Changes of entries: added, removed, or given another owner or mode.
  private static var inside: UInt32 {
    UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM) | UInt32(IN_MOVED_TO)
  }

  /// IN_MASK_ADD, which Glibc's module lacks: one folder may be watched for two reasons.
  private static let added: UInt32 = 0x2000_0000

  /// For an event loop: readable when something happened to a folder.
  package var number: Int32 { descriptor.number }

  /// Consumes the pending events; true when a watched folder is no longer at its path.
  package func isAnyGone() -> Bool {
    var events: [UInt8] = []
    // The events themselves do not matter: the paths are checked again.
    while let reading = try? descriptor.read(into: &events), case .bytes = reading {}
    return paths.contains { !File.isDirectory($0) }
  }
}
