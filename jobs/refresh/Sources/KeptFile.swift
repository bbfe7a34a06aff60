internal import Foundation
internal import Glibc
internal import JobFiles

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
  var hasTag: Bool {
    size != nil && isOwn && FileManager.default.fileExists(atPath: tagPath)
  }

  /// Makes the files for what is fetched, so that it goes into none that somebody else has put there.
  func makeNew() throws(RefreshError) {
    for path in [newPath, newTagPath] {
      SmallFile.remove(BytePath(path))
      let descriptor = OwnFile.make(BytePath(path), mode: 0o666)
      guard descriptor >= 0 else { throw .keeping(path, Report.reason(errno)) }
      close(descriptor)
    }
  }

  /// Whether what is kept is this user's.
  private var isOwn: Bool {
    guard let status = FileStatus(BytePath(path), follow: false) else { return false }
    return status.kind == .file && OwnFile.isOurs(status, in: BytePath(path).folder)
  }

  /// Puts the new content in place of the old; false when it is the same.
  func takeNew() throws(RefreshError) -> Bool {
    let files = FileManager.default
    do {
      let isSame = isOwn && files.contentsEqual(atPath: path, andPath: newPath)
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
