import JobWire
import LinuxSystem

/// The removal of a folder with all that is in it, a little at a time: a job may have left millions of
/// files, and the loop has others to serve.
struct Removal {
  /// The folder that is removed.
  let path: String
  /// The folder, and below it the subfolders that are being emptied.
  private var folders: [String]

  init(_ path: String) {
    self.path = path
    folders = [path]
  }

  /// Removes some more entries; whether it is done.
  ///
  /// Links are removed, never followed.
  ///
  /// - Throws: for entries that cannot be removed.
  mutating func goOn() throws(SystemError) -> Bool {
    var left = Limits.removedAtOnce
    while left > 0, let folder = folders.last {
      // A job may have put a link where its folder was.
      guard try File.status(folder, followingLinks: false)?.kind == .directory else {
        try File.remove(folder)
        folders.removeLast()
        continue
      }
      let names = try File.someNames(in: folder)
      if names.isEmpty {
        try File.removeTree(folder)
        folders.removeLast()
        left -= 1
        continue
      }
      for name in names.prefix(left) {
        let path = "\(folder)/\(name)"
        left -= 1
        if try File.status(path, followingLinks: false)?.kind == .directory {
          folders.append(try brought(path))
          break
        }
        try File.remove(path)
      }
    }
    return folders.isEmpty
  }

  /// Moves a folder beside the first one if it is nested so deep that paths in it might be too long (PATH_MAX);
  /// returns its new path.
  private func brought(_ path: String) throws(SystemError) -> String {
    guard path.utf8.count > Self.longestPath, let first = folders.first else { return path }
    let near = "\(File.parent(of: first))/\(RandomBytes.hexadecimal(count: 8))"
    try File.rename(path, to: near)
    return near
  }

  /// In bytes: half of PATH_MAX.
  private static let longestPath = 2048
}
