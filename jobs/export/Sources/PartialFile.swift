internal import Glibc
internal import JobFiles

/// The incomplete archive: a hidden file beside the target, removed with this value unless it was given its
/// final name.
///
/// It is locked while its writer lives, so that a leftover of a killed run is recognized.
struct PartialFile: ~Copyable {
  let descriptor: Int32
  private let path: BytePath
  private let target: BytePath

  private init(_ path: BytePath, _ descriptor: Int32, for target: BytePath) {
    self.path = path
    self.descriptor = descriptor
    self.target = target
  }

  /// Creates the file for `target`, after removing the leftovers of dead runs.
  static func create(for target: BytePath) throws(ExportError) -> PartialFile {
    let stem = BytePath(
      [UInt8(ascii: ".")] + target.name.bytes.prefix(200) + Array(".partial-".utf8))
    removeLeftovers(of: stem, in: target.folder)
    while true {
      let suffix = String(UInt32.random(in: 0..<(.max)), radix: 36)
      let path = target.folder.appending(BytePath(stem.bytes + Array(suffix.utf8)))
      let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
      let descriptor = unsafe path.withCString { unsafe open($0, flags, 0o666) }
      guard descriptor >= 0 else {
        if errno == EEXIST { continue }
        throw .target(target, ExportError.reason(errno))
      }
      let file = PartialFile(path, descriptor, for: target)
      // Another run may have mistaken it for a leftover before it was locked.
      let isTaken = flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
      if !isTaken, FileStatus(descriptor)?.raw.st_nlink != 0 { return file }
    }
  }

  deinit {
    _ = unsafe path.withCString { unsafe unlink($0) }
    close(descriptor)
  }

  /// Makes the file durable and gives it the final name; without `force` only if that is free.
  consuming func publish(force: Bool) throws(ExportError) {
    do {
      try FinalName.give(target, to: path, descriptor, force: force)
    } catch {
      switch error {
      case .taken:
        throw .target(target, "another program has made it meanwhile; --force replaces it")
      case .replaced: throw .target(target, "another file has appeared there")
      case .system(let number): throw .writing(target, ExportError.reason(number))
      }
    }
  }

  /// Removes unlocked files of this stem.
  private static func removeLeftovers(of stem: BytePath, in folder: BytePath) {
    guard let stream = unsafe folder.withCString({ unsafe opendir($0) }) else { return }
    defer { unsafe closedir(stream) }
    while let entry = unsafe readdir(stream) {
      let name = unsafe directoryEntryName(entry)
      guard name.bytes.starts(with: stem.bytes) else { continue }
      let path = folder.appending(name)
      let descriptor = unsafe path.withCString {
        unsafe open($0, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      }
      guard descriptor >= 0 else { continue }
      if OwnFile.fault(of: descriptor, at: path) == nil,
        flock(descriptor, LOCK_EX | LOCK_NB) == 0,
        unsafe path.withCString({ unsafe unlink($0) }) == 0
      {
        Report.say("removed \(path), which an export that was killed had left")
      }
      close(descriptor)
    }
  }
}
