internal import Glibc
internal import JobFiles

/// Owner, permissions and times of copies.
enum Attributes {
  /// Makes an open file or folder like the one with `status`.
  ///
  /// A user who may not give files away remains the owner of the copies; then the bits that would let
  /// others act as the owner are left out. Attributes that a filesystem cannot store (FAT) are ignored.
  static func copy(_ status: FileStatus, to descriptor: Int32) {
    let isGiven = fchown(descriptor, status.raw.st_uid, status.raw.st_gid) == 0
    fchmod(descriptor, status.raw.st_mode & (isGiven ? 0o7777 : 0o1777))
    var times = [status.raw.st_atim, status.raw.st_mtim]
    _ = unsafe futimens(descriptor, &times)
  }

  /// The same for the link `name` in `folder`, which has no permissions of its own.
  static func copyLink(_ status: FileStatus, to name: BytePath, in folder: Int32) {
    var times = [status.raw.st_atim, status.raw.st_mtim]
    unsafe name.withCString { text in
      _ = unsafe fchownat(
        folder, text, status.raw.st_uid, status.raw.st_gid, AT_SYMLINK_NOFOLLOW)
      _ = unsafe utimensat(folder, text, &times, AT_SYMLINK_NOFOLLOW)
    }
  }
}
