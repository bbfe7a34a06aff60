internal import BackgroundTasks
internal import Foundation
internal import Glibc
internal import JobFiles

/// The copying of one file into the target.
struct FileCopy {
  /// How often a file is read again that changes while it is read.
  private static let triesLimit = 3

  /// The result of one try.
  private enum Result {
    case finished
    /// The error number of reading or writing.
    case failed(Int32)
    /// The file changed during the copy, or the copy differs.
    case again(String)
  }

  let entry: TreeEntry
  let folder: TargetFolder
  let copier: Copier

  /// Returns whether the file is in the target now; a failure is counted.
  func run() throws -> Bool {
    var reason = ""
    for _ in 0..<Self.triesLimit {
      switch try attempt() {
      case .finished: return true
      case .failed(let number):
        giveUp()
        try copier.miss(entry, number, removing: folder)
        return false
      case .again(let why): reason = why
      }
    }
    giveUp()
    copier.tally.failed(entry.path, reason)
    return false
  }

  /// Removes the bytes of a missing file from the total.
  private func giveUp() {
    let progress = copier.task.progress
    progress.totalUnitCount -= min(entry.status.size, max(0, progress.totalUnitCount - 1))
  }

  private func attempt() throws -> Result {
    // NONBLOCK: if a FIFO has taken the file's name meanwhile, opening it must not wait.
    let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    let source = unsafe entry.name.withCString { unsafe openat(entry.folder, $0, flags) }
    guard source >= 0 else { return .failed(errno) }
    defer { close(source) }
    guard let status = FileStatus(source) else { return .failed(errno) }
    guard status.kind == .file else { return .again("it was replaced by something else") }
    if try isThere(source, status) { return .finished }
    return try copy(source, status)
  }

  private func copy(_ source: Int32, _ status: FileStatus) throws -> Result {
    let name = copier.checkpoint.partialName
    let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let partial = unsafe name.withCString {
      unsafe openat(folder.descriptor, $0, flags, 0o600)
    }
    guard partial >= 0 else { return .failed(errno) }
    defer { close(partial) }
    do {
      let result = try fill(partial, from: source, status)
      if case .finished = result { return result }
      folder.remove(name)
      return result
    } catch {
      folder.remove(name)
      throw error
    }
  }

  private func fill(_ partial: Int32, from source: Int32, _ status: FileStatus) throws -> Result {
    let (read, written) = (SHA256(), SHA256())
    var done: Int64 = 0
    while true {
      try Task.checkCancellation()
      let count = copier.reading.fill(from: source)
      guard count >= 0, put(count, into: partial, at: done) else { return .failed(errno) }
      unsafe read.update(copier.reading.bytes(count))
      unsafe written.update(copier.checking.bytes(count))
      advance(by: count)
      done += Int64(count)
      if count < copier.reading.count { break }
    }
    let digest = read.finish()
    guard digest == written.finish() else {
      return again(done, "the copy differs from the original")
    }
    guard let after = FileStatus(source), FileStamp(after) == FileStamp(status),
      done == status.size
    else { return again(done, "it changed each time it was copied") }
    return try publish(partial, status, digest)
  }

  /// Writes the block that was read, and reads it back.
  private func put(_ count: Int, into partial: Int32, at offset: Int64) -> Bool {
    var rest = unsafe copier.reading.bytes(count)
    while unsafe !rest.isEmpty {
      let written = unsafe write(partial, rest.baseAddress, rest.count)
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { return false }
      unsafe rest = UnsafeRawBufferPointer(rebasing: rest[written...])
    }
    guard lseek(partial, off_t(offset), SEEK_SET) >= 0 else { return false }
    // A short read shows in the hash.
    return copier.checking.fill(from: partial) >= 0
  }

  private func again(_ done: Int64, _ reason: String) -> Result {
    copier.task.progress.totalUnitCount += done
    return .again(reason)
  }

  /// Gives the complete copy its name, then records it.
  private func publish(
    _ partial: Int32, _ status: FileStatus, _ digest: [UInt8]
  ) throws -> Result {
    Attributes.copy(status, to: partial)
    guard folder.rename(copier.checkpoint.partialName, to: entry.name) else {
      return .failed(errno)
    }
    try copier.checkpoint.add(entry.path, FileStamp(status), digest: digest)
    count(status)
    return .finished
  }

  func count(_ status: FileStatus) {
    copier.tally.files += 1
    copier.tally.bytes += status.size
  }

  func advance(by count: Int) {
    copier.task.advance(by: Int64(count))
    copier.status.refresh()
  }
}
