internal import BackgroundTasks
internal import Foundation
internal import Glibc
internal import JobFiles

/// The second walk: makes everything in the target as it is in the source.
final class Copier: TreeVisitor {
  var tally = MirrorTally()

  let plan: MirrorPlan
  let checkpoint: Checkpoint
  let task: BGContinuedProcessingTask
  let status: StatusLine
  let reading = ReadBlock()
  let checking = ReadBlock()
  /// The open folders from the target down to the current one.
  private var folders: [TargetFolder] = []
  /// Files with several names: the first of them, relative to the target.
  private var linked: [FileIdentity: BytePath] = [:]

  init(
    _ plan: MirrorPlan, _ checkpoint: Checkpoint, task: BGContinuedProcessingTask,
    status: StatusLine
  ) {
    self.plan = plan
    self.checkpoint = checkpoint
    self.task = task
    self.status = status
  }

  /// Copies the whole source, and waits until it is on the disk.
  func copy() throws {
    var walk = TreeWalk(visitor: self)
    try walk.walk(plan.source, as: BytePath(""))
    status.showAtOnce("Finishing \(plan.target.name)")
    // A slow disk may take long to write the cached data.
    task.announceQuiet(for: .seconds(600))
    sync()
    task.announceQuiet(for: .zero)
  }

  func visit(_ entry: TreeEntry) throws {
    try Task.checkCancellation()
    if entry.path.bytes.isEmpty { return try openRoot() }
    guard let folder = folders.last else { return }
    folder.names.insert(entry.name)
    switch entry.status.kind {
    case .folder: try openFolder(entry, in: folder)
    case .link: try copyLink(entry, to: folder)
    case .special: tally.skipped(entry.path)
    case .file: try copyFile(entry, to: folder)
    }
  }

  func enters(_ entry: TreeEntry) -> Bool { folders.last?.path == entry.path }

  func leave(_ entry: TreeEntry) throws {
    guard let folder = folders.popLast() else { return }
    for name in folder.foreignNames() { tally.left(folder.path.appending(name)) }
    folder.finish(like: entry.status)
  }

  func problem(_ path: BytePath, _ number: Int32) {
    tally.failed(path, Report.reason(number))
  }

  private func openRoot() throws {
    guard let root = TargetFolder.open(plan.target, in: AT_FDCWD, path: BytePath("")) else {
      throw MirrorError.target(plan.target, Report.reason(errno))
    }
    root.remove(checkpoint.partialName)
    folders = [root]
  }

  private func openFolder(_ entry: TreeEntry, in folder: TargetFolder) throws {
    guard
      let opened = TargetFolder.open(entry.name, in: folder.descriptor, path: entry.path)
    else { return try miss(entry, errno) }
    opened.remove(checkpoint.partialName)
    folders.append(opened)
  }

  private func copyLink(_ entry: TreeEntry, to folder: TargetFolder) throws {
    guard let target = linkTarget(entry.name, in: entry.folder) else {
      return try miss(entry, errno)
    }
    tally.files += 1
    if linkTarget(entry.name, in: folder.descriptor) == target {
      tally.found += 1
    } else {
      let made = unsafe target.withCString { text in
        unsafe checkpoint.partialName.withCString {
          unsafe symlinkat(text, folder.descriptor, $0)
        }
      }
      guard made == 0, folder.rename(checkpoint.partialName, to: entry.name) else {
        tally.files -= 1
        return try miss(entry, errno, removing: folder)
      }
    }
    Attributes.copyLink(entry.status, to: entry.name, in: folder.descriptor)
  }

  private func linkTarget(_ name: BytePath, in folder: Int32) -> BytePath? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = unsafe name.withCString {
      unsafe readlinkat(folder, $0, &buffer, buffer.count)
    }
    return length < 0 ? nil : BytePath(buffer.prefix(length).map(UInt8.init(bitPattern:)))
  }

  private func copyFile(_ entry: TreeEntry, to folder: TargetFolder) throws {
    let path = entry.path
    status.show { path.description }
    if entry.status.isLinked, let first = linked[entry.status.identity] {
      if addHardLink(entry, first, to: folder) { return }
    }
    let copy = FileCopy(entry: entry, folder: folder, copier: self)
    guard try copy.run() else { return }
    if entry.status.isLinked { linked[entry.status.identity] = path }
  }

  /// Adds another name to a copied file; false when that is impossible, and the content is copied.
  private func addHardLink(
    _ entry: TreeEntry, _ first: BytePath, to folder: TargetFolder
  ) -> Bool {
    guard let root = folders.first?.descriptor,
      let original = FileStatus(first, in: root, follow: false)
    else { return false }
    if original.isSameFile(as: FileStatus(entry.name, in: folder.descriptor, follow: false)) {
      tally.found += 1
    } else {
      let made = unsafe first.withCString { old in
        unsafe checkpoint.partialName.withCString {
          unsafe linkat(root, old, folder.descriptor, $0, 0)
        }
      }
      guard made == 0 else { return false }
      guard folder.rename(checkpoint.partialName, to: entry.name) else {
        folder.remove(checkpoint.partialName)
        return false
      }
    }
    tally.files += 1
    return true
  }

  /// Counts a file that cannot be copied; throws when the error would hit every other file, too.
  func miss(_ entry: TreeEntry, _ number: Int32, removing folder: TargetFolder? = nil) throws {
    folder?.remove(checkpoint.partialName)
    guard !MirrorError.isFatal(number) else {
      throw MirrorError.writing(plan.target.appending(entry.path), Report.reason(number))
    }
    tally.failed(entry.path, Report.reason(number))
  }
}
