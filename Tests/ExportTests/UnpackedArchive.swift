import CArchive
import Glibc

/// The content of an archive, as the system's libarchive reads it.
struct UnpackedArchive {
  struct Item: Hashable {
    var kind: UInt32
    var permissions: UInt32
    var modified: Int
    var content: [UInt8]
    var linkTarget: [UInt8]?
    var hardLink: [UInt8]?
  }

  struct Unreadable: Error {
    var reason: String
  }

  /// By name, as bytes; folders without the slash at their end.
  private(set) var items: [[UInt8]: Item] = [:]

  init(_ path: String) throws(Unreadable) {
    _ = unsafe setlocale(LC_CTYPE, "C.UTF-8")
    let archive = unsafe archive_read_new()
    defer { _ = unsafe archive_read_free(archive) }
    unsafe archive_read_support_filter_all(archive)
    unsafe archive_read_support_format_all(archive)
    guard unsafe archive_read_open_filename(archive, path, 65536) == ARCHIVE_OK else {
      throw Unreadable(reason: unsafe String(cString: archive_error_string(archive)))
    }
    while true {
      var entry: OpaquePointer?
      let result = unsafe archive_read_next_header(archive, &entry)
      if result == ARCHIVE_EOF { return }
      guard result == ARCHIVE_OK || result == ARCHIVE_WARN, let entry = unsafe entry else {
        throw Unreadable(reason: unsafe String(cString: archive_error_string(archive)))
      }
      let item = unsafe Self.item(entry, try Self.content(archive))
      var name = unsafe Self.bytes(archive_entry_pathname(entry)) ?? []
      if name.last == UInt8(ascii: "/") { name.removeLast() }
      items[name] = item
    }
  }

  subscript(_ name: String) -> Item? { items[Array(name.utf8)] }

  private static func item(_ entry: OpaquePointer, _ content: [UInt8]) -> Item {
    unsafe Item(
      kind: archive_entry_filetype(entry), permissions: archive_entry_perm(entry),
      modified: archive_entry_mtime(entry), content: content,
      linkTarget: bytes(archive_entry_symlink(entry)),
      hardLink: bytes(archive_entry_hardlink(entry)))
  }

  private static func bytes(_ text: UnsafePointer<CChar>?) -> [UInt8]? {
    guard let text = unsafe text else { return nil }
    return unsafe Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
  }

  private static func content(_ archive: OpaquePointer?) throws(Unreadable) -> [UInt8] {
    var content: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = unsafe archive_read_data(archive, &block, block.count)
      if count == 0 { return content }
      guard count > 0 else {
        throw Unreadable(reason: unsafe String(cString: archive_error_string(archive)))
      }
      content += block.prefix(count)
    }
  }
}
