internal import Glibc

/// Reports writes to a file (inotify(7)).
package struct FileChanges: ~Copyable {
  private let descriptor: FileDescriptor

  /// Also throws when this user has reached the limit of watched files.
  package init(_ path: String) throws(SystemError) {
    descriptor = try Self.watch(path)
  }

  private static func watch(_ path: String) throws(SystemError) -> FileDescriptor {
    let number = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    guard number >= 0 else { throw SystemError("watch", errno, path: path) }
    let descriptor = FileDescriptor(owning: number)
    guard unsafe inotify_add_watch(number, path, UInt32(IN_MODIFY)) >= 0 else {
      throw SystemError("watch", errno, path: path)
    }
    return descriptor
  }

  /// For a poll: readable after a write.
  package var number: Int32 { descriptor.number }

  /// Consumes the pending events; true when there were any.
  package borrowing func drain() -> Bool {
    var events: [UInt8] = []
    while let reading = try? descriptor.read(into: &events), case .bytes = reading {}
    return !events.isEmpty
  }
}
