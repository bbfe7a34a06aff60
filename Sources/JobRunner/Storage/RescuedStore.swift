import JobStore
import LinuxSystem

/// A copy of a damaged database with the first page of a new one, which says where the tables are
/// (sqlite.org/fileformat2.html, 1.3).
///
/// Stores that were made by this schema have them at the same pages. One that was written anew after its files
/// were removed (`VACUUM INTO`) may not, and then nothing is found.
enum RescuedStore {
  private static let pageBytes = 4096
  /// Where the first page holds the number of pages, as a big-endian number of 32 bits.
  private static let countOffset = 28
  private static let copiedBytes = 1 << 20

  /// Calls `body` with such a copy; not where it cannot be made or opened.
  static func read(_ path: String, _ body: (Store) -> Void) {
    let copy = copy(of: path)
    remove(copy)
    defer { remove(copy) }
    guard (try? make(copy, of: path)) != nil, let store = try? Store(path: copy) else { return }
    body(store)
    store.close()
  }

  /// Where the copy lies while it is read.
  static func copy(of path: String) -> String { path + ".rescue" }

  private static func remove(_ copy: String) {
    for file in Store.files(of: copy) { try? File.remove(file) }
  }

  private static func make(_ copy: String, of path: String) throws {
    let new = try Store(path: copy)
    try new.emptyLog()
    new.close()
    try? File.remove(Store.writeAheadLog(of: copy))
    let damaged = try File.open(path)
    let file = try File.open(copy, [.read, .write])
    var first = try file.read(at: 0, maximum: pageBytes)
    guard first.count == pageBytes else { return }
    let pages = UInt32(clamping: try damaged.size() / UInt64(pageBytes))
    for index in 0..<4 {
      first[countOffset + index] = UInt8(truncatingIfNeeded: pages >> UInt32(24 - 8 * index))
    }
    try file.write(first, at: 0)
    try append(damaged, from: UInt64(pageBytes), to: file)
    let log = Store.writeAheadLog(of: path)
    guard File.exists(log) else { return }
    let copied = try File.open(Store.writeAheadLog(of: copy), [.write, .create])
    try append(try File.open(log), from: 0, to: copied)
  }

  private static func append(
    _ source: borrowing FileDescriptor, from start: UInt64, to file: borrowing FileDescriptor
  ) throws(SystemError) {
    var place = start
    while true {
      let bytes = try source.read(at: place, maximum: copiedBytes)
      if bytes.isEmpty { return }
      try file.write(bytes, at: place)
      place += UInt64(bytes.count)
    }
  }
}
