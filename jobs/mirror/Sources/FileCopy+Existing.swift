internal import BackgroundTasks
internal import Foundation
internal import Glibc
internal import JobFiles

// Files that the target has already.
extension FileCopy {
  /// Whether the target has the file: recorded as finished, or equal in size, time and content.
  ///
  /// A file gets its time before its name. So a file that a killed attempt had finished but not recorded
  /// yet is found here, and not copied again.
  func isThere(_ source: Int32, _ status: FileStatus) throws -> Bool {
    let stamp = FileStamp(status)
    guard let there = FileStatus(entry.name, in: folder.descriptor, follow: false),
      there.kind == .file, FileStamp(there) == stamp,
      there.raw.st_uid == status.raw.st_uid || folder.isOurs(there)
    else { return false }
    if copier.checkpoint.isFinished(entry.path, stamp) {
      copier.task.advance(by: status.size)
    } else {
      guard let digest = try commonDigest(source, status) else { return false }
      try copier.checkpoint.add(entry.path, stamp, digest: digest)
    }
    count(status)
    copier.tally.found += 1
    return true
  }

  /// The common hash of source and target; nil when they differ or cannot be read.
  private func commonDigest(_ source: Int32, _ status: FileStatus) throws -> [UInt8]? {
    let target = unsafe entry.name.withCString {
      unsafe openat(folder.descriptor, $0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    }
    guard target >= 0 else { return nil }
    defer { close(target) }
    let (read, found) = (SHA256(), SHA256())
    var compared: Int64 = 0
    while true {
      try Task.checkCancellation()
      let count = copier.reading.fill(from: source)
      guard count >= 0, copier.checking.fill(from: target) == count else { break }
      unsafe read.update(copier.reading.bytes(count))
      unsafe found.update(copier.checking.bytes(count))
      advance(by: count)
      compared += Int64(count)
      if count < copier.reading.count {
        let digest = read.finish()
        if digest == found.finish() {
          Attributes.copy(status, to: target)
          return digest
        }
        break
      }
    }
    // It has to be copied after all: these bytes are processed twice.
    copier.task.progress.totalUnitCount += compared
    lseek(source, 0, SEEK_SET)
    return nil
  }
}
