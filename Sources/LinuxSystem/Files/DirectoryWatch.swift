internal import Glibc

/// Tells when one of a few folders is removed or moved away, when something comes into one or leaves it,
/// and when one file is written (inotify(7)).
package final class DirectoryWatch {
  private let descriptor: FileDescriptor
  private let paths: [String]

  /// `file`: of that, every change is told.
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
      // A folder in which a file is open does not say that it was removed; the one above it does.
      let above = UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM) | added
      // Whoever may not look at that hears of less.
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

  /// Names come, go, or belong to something else.
  private static var inside: UInt32 {
    UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM) | UInt32(IN_MOVED_TO)
  }

  /// IN_MASK_ADD, which Glibc's module lacks: one folder may be watched for two reasons.
  private static let added: UInt32 = 0x2000_0000

  /// For an event loop: readable when something happened to a folder.
  package var number: Int32 { descriptor.number }

  /// Takes what was told; whether a folder is no longer at its path.
  package func isAnyGone() -> Bool {
    var told: [UInt8] = []
    // What exactly happened does not matter: the paths themselves are looked at.
    while let reading = try? descriptor.read(into: &told), case .bytes = reading {}
    return paths.contains { !File.isDirectory($0) }
  }
}
