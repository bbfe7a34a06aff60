internal import Glibc
internal import JobFiles

/// The incomplete file: beside its target, and locked while a process writes it.
///
/// It stays when the transfer is interrupted; the next one resumes it.
final class PartFile {
  let path: BytePath
  let descriptor: Int32
  /// Whether it was created just now.
  let isNew: Bool

  /// Opens or creates the file at `path`; one that others may have written is not resumed.
  ///
  /// `force`: another user's file is removed where this user may do that.
  init(_ path: BytePath, force: Bool) throws(TransferError) {
    self.path = path
    let old = try Self.opened(path, force: force)
    isNew = old == nil
    descriptor = old ?? OwnFile.make(path, mode: 0o644)
    guard descriptor >= 0 else { throw .target(path, Report.reason(errno)) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      throw .target(path, Self.isBusy)
    }
  }

  private static let isBusy = "another download is writing it"

  /// The existing file of this user alone; nil when there is none any more.
  private static func opened(_ path: BytePath, force: Bool) throws(TransferError) -> Int32? {
    let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let descriptor = unsafe path.withCString { unsafe Glibc.open($0, flags) }
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw .target(path, errno == ELOOP ? "it is a link" : Report.reason(errno))
    }
    guard let fault = OwnFile.fault(of: descriptor, at: path) else { return descriptor }
    defer { close(descriptor) }
    switch fault {
    case .notFile: throw .target(path, "it is not a file")
    case .foreign(let owner):
      guard force, unsafe path.withCString({ unsafe unlink($0) }) == 0 else {
        throw .foreign(path, "it belongs to user \(owner); choose another TARGET")
      }
    case .shared:
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw .target(path, isBusy) }
      Report.say("other users may have written to \(path); starting over")
      SmallFile.remove(path)
    }
    return nil
  }

  /// Gives the finished file the permissions of new files there; until now only this user could write to
  /// it.
  func takeUsualMode() {
    if let mode = OwnFile.modeOfNewFiles(in: path.folder) { fchmod(descriptor, mode) }
  }

  deinit { close(descriptor) }

  /// Its size in bytes.
  var size: Int64 { FileStatus(descriptor)?.size ?? 0 }

  /// Removes everything after this many bytes.
  func cut(to size: Int64) throws(TransferError) {
    guard ftruncate(descriptor, off_t(size)) == 0 else { throw .target(path, Report.reason(errno)) }
  }

  /// Writes all of `bytes` at `offset`; returns the error number on failure.
  func put(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Int32? {
    var rest = unsafe bytes
    var position = offset
    while unsafe !rest.isEmpty {
      let written = unsafe pwrite(descriptor, rest.baseAddress, rest.count, off_t(position))
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { return written < 0 ? errno : ENOSPC }
      position += Int64(written)
      unsafe rest = UnsafeRawBufferPointer(rebasing: rest[written...])
    }
    return nil
  }

  /// Whether `bytes` more fit on its disk; true when that is unknown.
  func hasRoom(for bytes: Int64) -> (fits: Bool, free: Int64) {
    var room = statvfs()
    guard unsafe fstatvfs(descriptor, &room) == 0 else { return (true, 0) }
    let free = Int64(clamping: UInt64(room.f_bavail) &* UInt64(room.f_frsize))
    return (bytes <= free, free)
  }

  /// The SHA-256 of its content; nil when it cannot be read.
  ///
  /// `pace` is called between blocks.
  func digest(_ pace: (Int) throws -> Void) rethrows -> [UInt8]? {
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { return nil }
    let (block, hash) = (ReadBlock(), SHA256())
    while true {
      let count = block.fill(from: descriptor)
      guard count >= 0 else { return nil }
      unsafe hash.update(block.bytes(count))
      try pace(count)
      if count < block.count { return hash.finish() }
    }
  }
}
