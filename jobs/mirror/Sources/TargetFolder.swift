internal import Glibc
internal import JobFiles

/// One folder of the target while its content is copied.
final class TargetFolder {
  /// Relative to the target.
  let path: BytePath
  let descriptor: Int32
  /// The names that the source has here.
  var names: Set<BytePath> = []

  private init(_ path: BytePath, _ descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
  }

  /// Opens the folder `name` in `folder`, making it when it is missing; nil, with `errno` set, on failure.
  static func open(_ name: BytePath, in folder: Int32, path: BytePath) -> TargetFolder? {
    let made = unsafe name.withCString { unsafe mkdirat(folder, $0, 0o700) }
    guard made == 0 || errno == EEXIST else { return nil }
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    var descriptor = unsafe name.withCString { unsafe openat(folder, $0, flags) }
    if descriptor < 0, errno == EACCES {
      // An earlier attempt may have given it the source's permissions, without access for the owner.
      _ = unsafe name.withCString { unsafe fchmodat(folder, $0, 0o700, 0) }
      descriptor = unsafe name.withCString { unsafe openat(folder, $0, flags) }
    }
    guard descriptor >= 0 else { return nil }
    if let mode = FileStatus(descriptor)?.raw.st_mode, mode & 0o700 != 0o700 {
      // If it is not ours, writing into it fails and is reported.
      fchmod(descriptor, mode & 0o7777 | 0o700)
    }
    return TargetFolder(path, descriptor)
  }

  /// Whether a file here has the owner that new files get: another user's file can change later.
  func isOurs(_ file: FileStatus) -> Bool {
    file.raw.st_uid == geteuid()
      || OwnFile.isOurs(file, in: BytePath("/proc/self/fd/\(descriptor)"))
  }

  /// Removes `name`, which is not a folder, if it exists.
  func remove(_ name: BytePath) {
    _ = unsafe name.withCString { unsafe unlinkat(descriptor, $0, 0) }
  }

  /// Renames the file `from` to `name`, replacing an existing one; false with `errno` set.
  func rename(_ from: BytePath, to name: BytePath) -> Bool {
    let result = unsafe from.withCString { old in
      unsafe name.withCString { unsafe renameat(descriptor, old, descriptor, $0) }
    }
    return result == 0
  }

  /// The names here that the source does not have.
  func foreignNames() -> [BytePath] {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0, let stream = unsafe fdopendir(copy) else { return [] }
    defer { unsafe closedir(stream) }
    unsafe rewinddir(stream)
    var foreign: [BytePath] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe directoryEntryName(entry)
      if !name.isDots, !names.contains(name) { foreign.append(name) }
    }
    return foreign.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
  }

  /// Gives the folder the source's permissions and times; the last step of a folder.
  func finish(like status: FileStatus) {
    Attributes.copy(status, to: descriptor)
  }
}
