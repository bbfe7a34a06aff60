internal import Foundation
internal import Glibc

/// The file that holds what was fetched, its entity tag beside it, and their successors.
struct KeptFile {
  let path: String

  init(_ path: String) {
    self.path = path
  }

  var newPath: String { path + ".new" }
  var tagPath: String { path + ".etag" }
  var newTagPath: String { path + ".etag.new" }

  /// Bytes; nil when nothing is kept yet.
  var size: Int64? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.size] as? NSNumber)?.int64Value
  }

  /// Whether the content is there that the tag belongs to.
  var hasTag: Bool { size != nil && FileManager.default.fileExists(atPath: tagPath) }

  /// Puts the new content in place of the old; false when it is the same.
  func takeNew() throws(RefreshError) -> Bool {
    let files = FileManager.default
    do {
      // An empty answer leaves no file.
      if !files.fileExists(atPath: newPath) {
        try Data().write(to: URL(fileURLWithPath: newPath))
      }
      let isSame = files.contentsEqual(atPath: path, andPath: newPath)
      if !isSame { try replace(path, with: newPath) }
      if let tag = files.contents(atPath: newTagPath), !tag.isEmpty {
        try replace(tagPath, with: newTagPath)
      } else {
        try? files.removeItem(atPath: tagPath)  // none is there, or it is of other content
      }
      return !isSame
    } catch {
      throw .keeping(path, error.localizedDescription)
    }
  }

  /// Removes what was not taken.
  func removeRemains() {
    for path in [newPath, newTagPath] {
      try? FileManager.default.removeItem(atPath: path)  // mostly there is none
    }
  }

  /// `rename` as rename(2) does it: whoever reads sees the old content or the new, never a part.
  private func replace(_ path: String, with new: String) throws {
    guard unsafe rename(new, path) == 0 else {
      throw NSError(domain: NSPOSIXErrorDomain, code: Int(errno))
    }
  }
}
