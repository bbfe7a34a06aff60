internal import Glibc

/// The step that makes a finished file appear under its name, durably and whole.
package enum FinalName {
  /// Why it has not got the name.
  package enum Problem: Error {
    /// Somebody else's file has it.
    case taken
    /// Somebody has put another file in its place.
    case replaced
    /// The error number of what failed.
    case system(Int32)
  }

  /// Gives the file at `path`, open as `descriptor`, the name `target`, on the disk and in its folder;
  /// without `force` only if nobody has it.
  package static func give(
    _ target: BytePath, to path: BytePath, _ descriptor: Int32, force: Bool
  ) throws(Problem) {
    guard fsync(descriptor) == 0 else { throw .system(errno) }
    try force ? replace(target, path) : link(target, path)
    // By its name anything may be there where others may write to the folder, too.
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

  /// A second name that must be new; then the first one goes.
  private static func link(_ target: BytePath, _ path: BytePath) throws(Problem) {
    let result = unsafe path.withCString { from in
      unsafe target.withCString { unsafe Glibc.link(from, $0) }
    }
    if result == 0 {
      _ = unsafe path.withCString { unsafe unlink($0) }
      return
    }
    guard errno != EEXIST else { throw .taken }
    // Filesystems without hard links (FAT): look, then rename.
    guard FileStatus(target, follow: false) == nil else { throw .taken }
    try replace(target, path)
  }
}
