internal import Glibc

/// Tells when a file may have another content: it was written, replaced, made or removed (inotify(7)).
///
/// Its folder is watched and not the file itself, in whose place editors put a new one; of a link also
/// the folder of what it points to. As long as there is no such folder, the one above it is watched.
package final class FileWatch {
  private let descriptor: FileDescriptor
  private let path: String

  package init(_ path: String) throws(SystemError) {
    let number = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    guard number >= 0 else { throw SystemError("watch", errno, path: path) }
    descriptor = FileDescriptor(owning: number)
    self.path = path
    watch()
  }

  /// For an event loop: readable when something happened in the folder.
  package var number: Int32 { descriptor.number }

  /// Takes what was told; the file is to be looked at again.
  package func drain() {
    var told: [UInt8] = []
    // What exactly happened does not matter: the file itself is looked at.
    while let reading = try? descriptor.read(into: &told), case .bytes = reading {}
    // A folder may be there since then, or another one at its path.
    watch()
  }

  private func watch() {
    var folders = [File.parent(of: path)]
    if let target = try? File.resolved(path) { folders.append(File.parent(of: target)) }
    // A new file is told once it is closed: before that it is empty or half written.
    let changes =
      UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO) | UInt32(IN_MOVED_FROM)
      | UInt32(IN_DELETE)
    let arrivals = UInt32(IN_CREATE) | UInt32(IN_MOVED_TO) | Self.added
    for folder in folders
    where unsafe inotify_add_watch(descriptor.number, folder, changes | Self.added) < 0 {
      _ = unsafe inotify_add_watch(descriptor.number, File.parent(of: folder), arrivals)
    }
  }

  /// IN_MASK_ADD, which Glibc's module lacks: one folder may be watched for two reasons.
  private static let added: UInt32 = 0x2000_0000
}
