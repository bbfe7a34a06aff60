package import Glibc

/// The result of stat(2) for one file (`man 2 fstatat`).
package struct FileStatus {
  package enum Kind: Hashable {
    case file, folder, link
    /// FIFOs, sockets, devices: they have no content to keep.
    case special
  }

  package var raw = stat()

  /// Nil, with `errno` set, when the file does not exist or cannot be examined.
  package init?(_ path: BytePath, in folder: Int32 = AT_FDCWD, follow: Bool) {
    let flags = follow ? 0 : AT_SYMLINK_NOFOLLOW
    let result = unsafe path.withCString { unsafe fstatat(folder, $0, &raw, flags) }
    guard result == 0 else { return nil }
  }

  /// Of an open file.
  package init?(_ descriptor: Int32) {
    guard unsafe fstat(descriptor, &raw) == 0 else { return nil }
  }

  package var kind: Kind {
    switch raw.st_mode & S_IFMT {
    case S_IFREG: .file
    case S_IFDIR: .folder
    case S_IFLNK: .link
    default: .special
    }
  }

  /// Bytes of content; 0 for anything but a regular file.
  package var size: Int64 { kind == .file ? Int64(raw.st_size) : 0 }

  /// Equal for every name of one file.
  package var identity: FileIdentity { FileIdentity(device: raw.st_dev, inode: raw.st_ino) }

  /// Whether the file may have another name.
  package var isLinked: Bool { kind == .file && raw.st_nlink > 1 }

  package func isSameFile(as other: FileStatus?) -> Bool { other?.identity == identity }
}

/// Identifies a file, whatever its name.
package struct FileIdentity: Hashable {
  package var device: dev_t
  package var inode: ino_t
}
