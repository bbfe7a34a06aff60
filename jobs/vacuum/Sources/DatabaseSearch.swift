internal import Glibc
internal import JobFiles

/// Finds SQLite databases in a tree, by their first bytes.
struct DatabaseSearch: TreeVisitor {
  struct Found {
    var path: BytePath
    var size: Int64
    var isLinked: Bool
  }

  /// The first bytes of every database (sqlite.org/fileformat.html, 1.3), its NUL included.
  private static let mark = Array("SQLite format 3\0".utf8)

  private(set) var found: [Found] = []
  /// Files and folders that could not be read.
  private(set) var unreadable = 0

  mutating func visit(_ entry: TreeEntry) throws {
    try Task.checkCancellation()
    guard entry.status.kind == .file, entry.status.size >= Int64(Self.mark.count) else { return }
    let flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC
    let descriptor = unsafe entry.name.withCString { unsafe openat(entry.folder, $0, flags) }
    guard descriptor >= 0 else { return problem(entry.path, errno) }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: Self.mark.count)
    guard unsafe read(descriptor, &bytes, bytes.count) == bytes.count, bytes == Self.mark else {
      return
    }
    found.append(
      Found(path: entry.path, size: entry.status.size, isLinked: entry.status.isLinked))
  }

  mutating func problem(_ path: BytePath, _ number: Int32) {
    unreadable += 1
    Report.say("\(path): cannot be examined: \(Report.reason(number))")
  }
}
