internal import Foundation
internal import Glibc
internal import JobFiles

/// The file with the fetched content, its entity tag beside it, and their new versions.
struct KeptFile {
  let path: String

  init(_ path: String) {
    self.path = path
  }

  var newPath: String { path + ".new" }
  var tagPath: String { path + ".etag" }
  var newTagPath: String { path + ".etag.new" }

  /// Its size in bytes; nil when there is none yet.
  var size: Int64? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.size] as? NSNumber)?.int64Value
  }

  /// Whether the content that belongs to the tag exists.
  var hasTag: Bool {
    size != nil && isOwn && FileManager.default.fileExists(atPath: tagPath)
  }

  /// Creates the files for the new content, so that it does not go into files of another user.
  func makeNew() throws(RefreshError) {
    for path in [newPath, newTagPath] {
      SmallFile.remove(BytePath(path))
      let descriptor = OwnFile.make(BytePath(path), mode: 0o666)
      guard descriptor >= 0 else { throw .keeping(path, Report.reason(errno)) }
      close(descriptor)
    }
  }

  /// Whether the kept file belongs to this user.
  private var isOwn: Bool {
    guard let status = FileStatus(BytePath(path), follow: false) else { return false }
    return status.kind == .file && OwnFile.isOurs(status, in: BytePath(path).folder)
  }

  /// Replaces the old content by the new; false when they are equal.
  func takeNew() throws(RefreshError) -> Bool {
    let files = FileManager.default
    do {
      let isSame = isOwn && files.contentsEqual(atPath: path, andPath: newPath)
      if !isSame {
        // The old tag beside the new content would hide a return to the old one.
        try? files.removeItem(atPath: tagPath)
        try replace(path, with: newPath)
      }
      if let tag = files.contents(atPath: newTagPath), !tag.isEmpty {
        try replace(tagPath, with: newTagPath)
      } else {
        try? files.removeItem(atPath: tagPath)  // missing, or of other content
      }
      return !isSame
    } catch {
      throw .keeping(path, error.localizedDescription)
    }
  }

  /// Removes leftovers of a fetch.
  func removeRemains() {
    for path in [newPath, newTagPath] {
      try? FileManager.default.removeItem(atPath: path)  // usually there is none
    }
  }

  /// `rename` as rename(2) does it: a reader sees the old content or the new, never a part.
  private func replace(_ path: String, with new: String) throws {
    guard unsafe rename(new, path) == 0 else {
      throw NSError(domain: NSPOSIXErrorDomain, code: Int(errno))
    }
  }
}
