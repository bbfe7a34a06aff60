internal import Glibc

/// Reports that the content of a file may have changed: the file was written, replaced, made or removed
/// (inotify(7)).
///
/// The folder is watched rather than the file, as editors replace the file; for a symbolic link, the folder
/// of its target as well. While the folder does not exist, its parent is watched.
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

  /// Consumes the pending events; the file must be read again.
  package func drain() {
    var events: [UInt8] = []
    // The events themselves do not matter: the file is read again.
    while let reading = try? descriptor.read(into: &events), case .bytes = reading {}
    // The folder may have been created or replaced meanwhile.
    watch()
  }

  private func watch() {
    var folders = [File.parent(of: path)]
    if let target = try? File.resolved(path) { folders.append(File.parent(of: target)) }
    // A new file is reported once it is closed: before that it is empty or half written.
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
