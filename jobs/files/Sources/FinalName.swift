internal import Glibc

/// The step that gives a finished file its name, durably and completely.
package enum FinalName {
  /// Why it did not get the name.
  package enum Problem: Error {
    /// Another file has the name.
    case taken
    /// Another process has replaced the file meanwhile.
    case replaced
    /// The error number of a failed call.
    case system(Int32)
  }

  /// Gives the file at `path`, open as `descriptor`, the name `target`, and makes that durable; without
  /// `force` only if the name is free.
  package static func give(
    _ target: BytePath, to path: BytePath, _ descriptor: Int32, force: Bool
  ) throws(Problem) {
    guard fsync(descriptor) == 0 else { throw .system(errno) }
    try force ? replace(target, path) : link(target, path)
    // In a folder that others may write to, the name may belong to another file by now.
    guard let given = FileStatus(target, follow: false),
      given.isSameFile(as: FileStatus(descriptor))
    else { throw .replaced }
    let folder = unsafe target.folder.withCString {
      unsafe open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
    if folder >= 0 {
      // A folder that cannot be synchronised (some network filesystems) holds the name all the same.
      fsync(folder)
      close(folder)
    }
  }

  private static func replace(_ target: BytePath, _ path: BytePath) throws(Problem) {
    let result = unsafe path.withCString { from in
      unsafe target.withCString { unsafe rename(from, $0) }
    }
    guard result == 0 else { throw .system(errno) }
  }

  /// Adds a second name, which must be new, and removes the first.
  private static func link(_ target: BytePath, _ path: BytePath) throws(Problem) {
    let result = unsafe path.withCString { from in
      unsafe target.withCString { unsafe Glibc.link(from, $0) }
    }
    if result == 0 {
      _ = unsafe path.withCString { unsafe unlink($0) }
      return
    }
    guard errno != EEXIST else { throw .taken }
    // Filesystems without hard links (FAT): check, then rename.
    guard FileStatus(target, follow: false) == nil else { throw .taken }
    try replace(target, path)
  }
}
