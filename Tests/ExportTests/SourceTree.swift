import Foundation
import Glibc

/// A folder on the disk, in the terms of an archive.
enum SourceTree {
  /// Everything in `folder`, under its own name; hard links as files with their content.
  static func items(_ folder: String) throws -> [[UInt8]: UnpackedArchive.Item] {
    let url = URL(fileURLWithPath: folder)
    let parent = url.deletingLastPathComponent().path
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
    var items: [[UInt8]: UnpackedArchive.Item] = [:]
    for name in [url.lastPathComponent] + names.map({ url.lastPathComponent + "/" + $0 }) {
      items[Array(name.utf8)] = try item(parent + "/" + name)
    }
    return items
  }

  private static func item(_ path: String) throws -> UnpackedArchive.Item {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { throw CocoaError(.fileReadNoSuchFile) }
    let isFile = status.st_mode & S_IFMT == S_IFREG
    let isLink = status.st_mode & S_IFMT == S_IFLNK
    return UnpackedArchive.Item(
      kind: status.st_mode & S_IFMT, permissions: status.st_mode & 0o7777,
      modified: status.st_mtim.tv_sec,
      content: isFile ? Array(try Data(contentsOf: URL(fileURLWithPath: path))) : [],
      linkTarget: isLink
        ? Array(try FileManager.default.destinationOfSymbolicLink(atPath: path).utf8) : nil)
  }
}
