package import Glibc

/// Whether an existing file belongs to this user alone.
///
/// In a folder that others may write to, they may have created the file, or have it open.
package enum OwnFile {
  /// Why it is not accepted.
  package enum Fault: Hashable {
    case notFile
    /// It belongs to the user of this number.
    case foreign(uid_t)
    /// It is ours, but others may write to it, or have another name for it.
    case shared
  }

  /// The problem of an open file at `path`; nil when there is none.
  ///
  /// Also removes the permissions of others.
  package static func fault(of descriptor: Int32, at path: BytePath) -> Fault? {
    guard let status = FileStatus(descriptor), status.kind == .file else { return .notFile }
    guard isOurs(status, in: path.folder) else { return .foreign(status.raw.st_uid) }
    if status.isLinked { return .shared }
    guard status.raw.st_mode & 0o022 != 0 else { return nil }
    // A file system without modes reports the same one for all files.
    _ = fchmod(descriptor, status.raw.st_mode & 0o7755)
    return FileStatus(descriptor)?.raw.st_mode == status.raw.st_mode ? nil : .shared
  }

  /// Whether a file in the folder has the owner that new files get there: a server may assign all of them
  /// to one user.
  package static func isOurs(_ status: FileStatus, in folder: BytePath) -> Bool {
    status.raw.st_uid == geteuid() || status.raw.st_uid == ownerOfNewFiles(in: folder)
  }

  /// Creates the file and opens it for reading and writing; never touches an existing one.
  ///
  /// - Returns: the descriptor, or a negative value with `errno` set.
  package static func make(_ path: BytePath, mode: mode_t) -> Int32 {
    let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    return unsafe path.withCString { unsafe open($0, flags, mode) }
  }

  /// `O_TMPFILE` of `open(2)`, which is not imported.
  private static let unnamed: Int32 = 0o20_000_000 | O_DIRECTORY

  /// The status of a new file in the folder.
  ///
  /// The file has no name, so that a killed process leaves nothing; file systems without such files (NFS, FAT)
  /// get one with a name for a moment.
  private static func statusOfNewFiles(in folder: BytePath, mode: mode_t) -> FileStatus? {
    let nameless = unsafe folder.withCString { unsafe open($0, unnamed | O_RDWR | O_CLOEXEC, mode) }
    if nameless >= 0 {
      defer { close(nameless) }
      return FileStatus(nameless)
    }
    let name = ".jobrun-\(String(UInt64.random(in: .min ... .max), radix: 36))"
    let path = folder.appending(BytePath(name))
    let descriptor = make(path, mode: mode)
    guard descriptor >= 0 else { return nil }
    defer {
      _ = unsafe path.withCString { unsafe unlink($0) }
      close(descriptor)
    }
    return FileStatus(descriptor)
  }

  private static func ownerOfNewFiles(in folder: BytePath) -> uid_t? {
    statusOfNewFiles(in: folder, mode: 0o600)?.raw.st_uid
  }

  /// The permissions that a new file gets in the folder.
  package static func modeOfNewFiles(in folder: BytePath) -> mode_t? {
    statusOfNewFiles(in: folder, mode: 0o666).map { $0.raw.st_mode & 0o777 }
  }
}
