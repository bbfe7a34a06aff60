internal import BackgroundTasks
internal import Foundation
internal import Glibc
internal import JobFiles

/// The second walk: packs everything into the archive.
///
/// A class, so that the writer has a single owner.
final class Packer: TreeVisitor {
  private(set) var tally = Tally()

  private let paths: ExportPaths
  private let task: BGContinuedProcessingTask
  private let status: StatusLine
  private let writer: ArchiveWriter
  private let block = ReadBlock()
  /// Files with several names: the first of them, under which the content is stored.
  private var linked: [FileIdentity: BytePath] = [:]

  init(
    _ paths: ExportPaths, to descriptor: Int32, task: BGContinuedProcessingTask, status: StatusLine
  ) throws {
    self.paths = paths
    self.task = task
    self.status = status
    do {
      writer = try ArchiveWriter.open(paths.format, to: descriptor)
    } catch {
      throw ExportError.writing(paths.target, error.reason)
    }
  }

  /// Packs the whole source and closes the archive.
  func pack() throws {
    var walk = TreeWalk(visitor: self)
    try walk.walk(paths.source, as: paths.name)
    status.showAtOnce("Finishing \(paths.target.name)")
    do {
      try writer.close()
    } catch {
      throw ExportError.writing(paths.target, error.reason)
    }
  }

  func visit(_ entry: TreeEntry) throws {
    try Task.checkCancellation()
    switch entry.status.kind {
    case .folder: try begin(ArchiveWriter.Entry(path: entry.path, status: entry.status, size: 0))
    case .link: try addLink(entry)
    case .special: tally.skipped(entry.path)
    case .file: try addFile(entry)
    }
  }

  func problem(_ path: BytePath, _ number: Int32) {
    tally.unreadable(path, ExportError.reason(number))
  }

  private func addLink(_ entry: TreeEntry) throws {
    guard let target = linkTarget(entry) else { return problem(entry.path, errno) }
    var item = ArchiveWriter.Entry(path: entry.path, status: entry.status, size: 0)
    item.linkTarget = target
    if try begin(item) { tally.files += 1 }
  }

  private func linkTarget(_ entry: TreeEntry) -> BytePath? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = unsafe entry.name.withCString {
      unsafe readlinkat(entry.folder, $0, &buffer, buffer.count)
    }
    return length < 0 ? nil : BytePath(buffer.prefix(length).map(UInt8.init(bitPattern:)))
  }

  private func addFile(_ entry: TreeEntry) throws {
    let path = entry.path
    status.show { path.description }
    if entry.status.isLinked, paths.format.storesHardLinks {
      if let first = linked[entry.status.identity] { return try addHardLink(entry, first) }
    }
    // NONBLOCK: if a FIFO has taken the file's name meanwhile, opening it must not wait.
    let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    let descriptor = unsafe entry.name.withCString { unsafe openat(entry.folder, $0, flags) }
    guard descriptor >= 0 else { return miss(entry, ExportError.reason(errno)) }
    defer { close(descriptor) }
    guard let status = FileStatus(descriptor), status.kind == .file else {
      return miss(entry, "it was replaced by something else")
    }
    try addContent(of: descriptor, entry, status)
  }

  private func addHardLink(_ entry: TreeEntry, _ first: BytePath) throws {
    var item = ArchiveWriter.Entry(path: entry.path, status: entry.status, size: 0)
    item.hardLink = first
    if try begin(item) { tally.files += 1 }
  }

  /// Stores a file that fits into one block as it is at that moment.
  ///
  /// For a larger one the size is declared first, and kept whatever happens to the file.
  private func addContent(of descriptor: Int32, _ entry: TreeEntry, _ status: FileStatus) throws {
    let first = block.fill(from: descriptor)
    guard first >= 0 else { return miss(entry, ExportError.reason(errno)) }
    let size = first < block.count ? Int64(first) : max(status.size, Int64(first))
    guard try begin(ArchiveWriter.Entry(path: entry.path, status: status, size: size)) else {
      return
    }
    try write(first)
    if first == block.count { try addRest(of: descriptor, entry, size - Int64(first)) }
    if status.isLinked { linked[status.identity] = entry.path }
    tally.files += 1
    tally.bytes += size
  }

  private func addRest(of descriptor: Int32, _ entry: TreeEntry, _ size: Int64) throws {
    var rest = size
    while rest > 0 {
      try Task.checkCancellation()
      let count = block.fill(from: descriptor)
      guard count > 0 else {
        let reason = count < 0 ? ExportError.reason(errno) : "it was truncated"
        tally.unreadable(
          entry.path, "\(reason); its last \(Report.bytes(rest)) are zeros in the archive")
        return try pad(rest)
      }
      let used = Int(min(rest, Int64(count)))
      try write(used)
      rest -= Int64(used)
      if used < count { return tally.note(entry.path, "grew meanwhile; its end is left out") }
    }
    if block.fill(from: descriptor) > 0 {
      tally.note(entry.path, "grew meanwhile; its end is left out")
    }
  }

  private func pad(_ size: Int64) throws {
    block.clear()
    var rest = size
    while rest > 0 {
      try Task.checkCancellation()
      let used = Int(min(rest, Int64(block.count)))
      try write(used)
      rest -= Int64(used)
    }
  }

  /// Removes the bytes of a missing file from the total.
  private func miss(_ entry: TreeEntry, _ reason: String) {
    tally.unreadable(entry.path, reason)
    task.progress.totalUnitCount -= min(entry.status.size, task.progress.totalUnitCount - 1)
  }

  /// False when this entry cannot be stored, which is counted; throws when the archive cannot be written
  /// any more.
  @discardableResult
  private func begin(_ item: ArchiveWriter.Entry) throws -> Bool {
    do {
      try writer.begin(item)
      return true
    } catch {
      guard !error.isFatal else { throw ExportError.writing(paths.target, error.reason) }
      tally.unreadable(item.path, error.reason)
      return false
    }
  }

  private func write(_ count: Int) throws {
    do {
      try unsafe writer.write(block.bytes(count))
    } catch {
      throw ExportError.writing(paths.target, error.reason)
    }
    task.advance(by: Int64(count))
    status.refresh()
  }
}
