internal import Glibc

/// Tells when one of a few folders is removed or moved away (inotify(7)).
package struct DirectoryWatch: ~Copyable {
  private let descriptor: FileDescriptor
  private let paths: [String]

  package init(_ paths: [String]) throws(SystemError) {
    descriptor = try Self.watch(paths)
    self.paths = paths
  }

  private static func watch(_ paths: [String]) throws(SystemError) -> FileDescriptor {
    let number = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    guard number >= 0 else { throw SystemError("watch folders", errno) }
    let descriptor = FileDescriptor(owning: number)
    for path in paths {
      // A folder in which a file is open does not tell that it was removed; the one above it does.
      let above = UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM) | added
      // Whoever may not look at that hears of less.
      _ = unsafe inotify_add_watch(number, File.parent(of: path), above)
      let mask = UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | added
      guard unsafe inotify_add_watch(number, path, mask) >= 0 else {
        throw SystemError("watch", errno, path: path)
      }
    }
    return descriptor
  }

  /// IN_MASK_ADD, which Glibc's module lacks: one folder may be watched for two reasons.
  private static let added: UInt32 = 0x2000_0000

  /// For an event loop: readable when something happened to a folder.
  package var number: Int32 { descriptor.number }

  /// Takes what was told; whether a folder is no longer at its path.
  package borrowing func isAnyGone() -> Bool {
    var told: [UInt8] = []
    // What exactly happened does not matter: the paths themselves are looked at.
    while let reading = try? descriptor.read(into: &told), case .bytes = reading {}
    return paths.contains { !File.isDirectory($0) }
  }
}
