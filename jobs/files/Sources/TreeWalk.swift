package import Glibc

/// One entry of the source.
package struct TreeEntry {
  /// Its path in the archive, starting with the source's own name.
  package var path: BytePath
  /// Its parent folder, open; valid during the visit.
  package var folder: Int32
  /// Its name in that folder.
  package var name: BytePath
  package var status: FileStatus
}

/// Handles the entries of a walk.
package protocol TreeVisitor {
  /// Every folder, file, link and special file; an error ends the walk.
  mutating func visit(_ entry: TreeEntry) throws
  /// Every entry that cannot be examined, with the error number.
  mutating func problem(_ path: BytePath, _ number: Int32)
  /// Whether the walk enters a folder after its visit; true by default.
  mutating func enters(_ entry: TreeEntry) -> Bool
  /// The content of a folder was visited; an error ends the walk.
  mutating func leave(_ entry: TreeEntry) throws
}

extension TreeVisitor {
  package mutating func enters(_ entry: TreeEntry) -> Bool { true }
  package mutating func leave(_ entry: TreeEntry) throws {}
}

/// Walks through the source in the order of names, each folder before its content.
///
/// Every step starts from an open folder and follows no link, so that a tree that changes meanwhile cannot
/// lead elsewhere, and paths may exceed the kernel's maximum length.
package struct TreeWalk<Visitor: TreeVisitor> {
  package var visitor: Visitor

  package init(visitor: Visitor) {
    self.visitor = visitor
  }

  /// Visits `source` under the name `name`, and everything below it.
  package mutating func walk(_ source: BytePath, as name: BytePath) throws {
    let folder = unsafe source.folder.withCString {
      unsafe open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
    guard folder >= 0 else { return visitor.problem(name, errno) }
    defer { close(folder) }
    try step(folder, source.name.bytes.isEmpty ? BytePath(".") : source.name, path: name)
  }

  private mutating func step(_ folder: Int32, _ name: BytePath, path: BytePath) throws {
    guard let status = FileStatus(name, in: folder, follow: false) else {
      return visitor.problem(path, errno)
    }
    let entry = TreeEntry(path: path, folder: folder, name: name, status: status)
    try visitor.visit(entry)
    guard status.kind == .folder, visitor.enters(entry) else { return }
    try stepInto(entry)
    try visitor.leave(entry)
  }

  private mutating func stepInto(_ entry: TreeEntry) throws {
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    let descriptor = unsafe entry.name.withCString { unsafe openat(entry.folder, $0, flags) }
    guard descriptor >= 0 else { return visitor.problem(entry.path, errno) }
    defer { close(descriptor) }
    for child in names(descriptor, path: entry.path) {
      try step(descriptor, child, path: entry.path.appending(child))
    }
  }

  /// The names in an open folder, sorted; after a read error, those that were read.
  private mutating func names(_ descriptor: Int32, path: BytePath) -> [BytePath] {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0, let stream = unsafe fdopendir(copy) else {
      visitor.problem(path, errno)
      close(copy)
      return []
    }
    defer { unsafe closedir(stream) }
    var names: [BytePath] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(stream) else {
        if errno != 0 { visitor.problem(path, errno) }
        return names.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
      }
      let name = unsafe directoryEntryName(entry)
      if name.bytes != [46], name.bytes != [46, 46] { names.append(name) }
    }
  }
}

/// The name in the result of `readdir`; it may be longer than the C declaration says.
package func directoryEntryName(_ entry: UnsafeMutablePointer<dirent>) -> BytePath {
  let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
  let start = unsafe UnsafeRawPointer(entry).advanced(by: offset)
  return unsafe BytePath(start.assumingMemoryBound(to: CChar.self))
}
