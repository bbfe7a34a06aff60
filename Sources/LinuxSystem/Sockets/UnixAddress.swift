internal import CLinux

/// A path that fits into the 108 bytes of a socket's address (unix(7)).
///
/// A longer path is reached through a descriptor of its folder, as `/proc/self/fd/N/name`.
struct UnixAddress: ~Copyable {
  let path: String
  /// Keeps the folder open as long as `path` goes through it.
  private let folder: FileDescriptor?

  init(_ path: String) throws(SystemError) {
    guard path.utf8.count > 107 else {
      self.path = path
      folder = nil
      return
    }
    let parent = File.parent(of: path)
    let name = path.utf8.count > parent.utf8.count ? path.dropFirst(parent.count + 1) : ""
    let folder = try File.open(parent, [.path, .directory])
    self.path = "/proc/self/fd/\(folder.number)/\(name)"
    self.folder = consume folder
  }
}
