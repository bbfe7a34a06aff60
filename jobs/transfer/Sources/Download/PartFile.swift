internal import Glibc
internal import JobFiles

/// The file while it is not whole: beside its target, and locked as long as somebody writes it.
///
/// It stays when the transfer is interrupted; the next one goes on with it.
final class PartFile {
  let path: BytePath
  let descriptor: Int32
  /// Whether it was made just now.
  let isNew: Bool

  /// Opens the file at `path`, or makes it; one that others may have written is not gone on with.
  ///
  /// `force`: somebody else's goes where this user may remove it.
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

  /// The file of this user alone that is there; nil when none is, any more.
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
      Report.say("others may have written to \(path); begins from the start")
      SmallFile.remove(path)
    }
    return nil
  }

  /// Gives the finished file the permissions of any new file there; until now it was for nobody else to
  /// write to.
  func takeUsualMode() {
    if let mode = OwnFile.modeOfNewFiles(in: path.folder) { fchmod(descriptor, mode) }
  }

  deinit { close(descriptor) }

  /// Bytes in it.
  var size: Int64 { FileStatus(descriptor)?.size ?? 0 }

  /// Throws away what lies behind so many bytes.
  func cut(to size: Int64) throws(TransferError) {
    guard ftruncate(descriptor, off_t(size)) == 0 else { throw .target(path, Report.reason(errno)) }
  }

  /// Writes all of `bytes` at `offset`; the error number when it cannot.
  func put(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Int32? {
    var rest = unsafe bytes
    var place = offset
    while unsafe !rest.isEmpty {
      let written = unsafe pwrite(descriptor, rest.baseAddress, rest.count, off_t(place))
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { return written < 0 ? errno : ENOSPC }
      place += Int64(written)
      unsafe rest = UnsafeRawBufferPointer(rebasing: rest[written...])
    }
    return nil
  }

  /// Whether `bytes` more fit on the disk it is on; true when the disk does not say.
  func hasRoom(for bytes: Int64) -> (fits: Bool, free: Int64) {
    var room = statvfs()
    guard unsafe fstatvfs(descriptor, &room) == 0 else { return (true, 0) }
    let free = Int64(clamping: UInt64(room.f_bavail) &* UInt64(room.f_frsize))
    return (bytes <= free, free)
  }

  /// The SHA-256 of all that is in it; nil when it cannot be read.
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
