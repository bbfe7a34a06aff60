internal import Glibc
internal import JobFiles

/// The file that is sent, held open, and its state at the start.
final class SentFile {
  let path: BytePath
  let descriptor: Int32
  let stamp: Stamp

  /// Changes when a file is written.
  struct Stamp: Codable, Hashable {
    var size: Int64
    var seconds: Int
    var nanoseconds: Int
  }

  init(_ path: BytePath) throws(TransferError) {
    self.path = path
    // NONBLOCK: opening a FIFO must not wait.
    descriptor = unsafe path.withCString { unsafe open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
    guard descriptor >= 0 else { throw .reading(path, Report.reason(errno)) }
    guard let status = FileStatus(descriptor), status.kind == .file else {
      throw .reading(path, "it is not a file")
    }
    stamp = Self.stamp(status)
  }

  deinit { close(descriptor) }

  var size: Int64 { stamp.size }

  /// Whether it is unchanged since it was opened.
  var isUnchanged: Bool { FileStatus(descriptor).map { Self.stamp($0) } == stamp }

  /// The SHA-256 of its content; nil when that is larger than one block, or cannot be read.
  ///
  /// Files that are written in the same moment may have the same stamp.
  var smallDigest: [UInt8]? {
    let block = ReadBlock()
    guard size < block.count, lseek(descriptor, 0, SEEK_SET) == 0 else { return nil }
    let count = block.fill(from: descriptor)
    guard (0..<block.count).contains(count) else { return nil }
    let hash = SHA256()
    unsafe hash.update(block.bytes(count))
    return hash.finish()
  }

  /// The request body from `offset` on.
  func body(from offset: Int64 = 0) -> Request.Body {
    Request.Body(descriptor: descriptor, start: offset, count: size - offset)
  }

  private static func stamp(_ status: FileStatus) -> Stamp {
    Stamp(
      size: status.size, seconds: status.raw.st_mtim.tv_sec,
      nanoseconds: status.raw.st_mtim.tv_nsec)
  }
}
