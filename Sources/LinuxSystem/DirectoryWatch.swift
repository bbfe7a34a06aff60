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
      let mask = UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF)
      guard unsafe inotify_add_watch(number, path, mask) >= 0 else {
        throw SystemError("watch", errno, path: path)
      }
    }
    return descriptor
  }

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
