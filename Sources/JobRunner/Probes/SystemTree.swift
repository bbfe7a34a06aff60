internal import JobWire
internal import LinuxSystem

/// The kernel's text files below a root folder: `/` on the machine, a folder of files in tests.
package struct SystemTree: Sendable {
  /// Enough for a routing table of thousands of lines; what is longer counts as unreadable.
  private static let textLimit = 1 << 20

  /// Without a slash at its end; empty for the machine itself.
  private let root: String

  package init(root: String = "/") {
    self.root = root.hasSuffix("/") ? String(root.dropLast()) : root
  }

  /// Below `JOBRUN_SYSTEM_ROOT` where that is set, a folder with what /sys and /proc are to say: for
  /// tests of a battery on a machine that has none.
  static func given(_ environment: Environment) -> SystemTree {
    SystemTree(root: environment["JOBRUN_SYSTEM_ROOT"] ?? "/")
  }

  /// A file's text; nil when it is missing, unreadable or too long.
  func text(_ path: String) -> String? {
    guard let bytes = try? File.readAll(root + path, limit: Self.textLimit) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The first line without surrounding blanks; nil as for `text`, and when there is nothing in it.
  func word(_ path: String) -> String? {
    guard let line = text(path)?.split(separator: "\n").first else { return nil }
    let isBlank = { (character: Character) in character == " " || character == "\t" }
    let trimmed = line.drop(while: isBlank).reversed().drop(while: isBlank).reversed()
    return trimmed.isEmpty ? nil : String(trimmed)
  }

  /// The names in a folder, sorted; none when it is missing.
  func entries(_ path: String) -> [String] {
    ((try? File.names(in: root + path)) ?? []).sorted()
  }

  /// The last component of what a symbolic link points to: a device's driver, say.
  func linkName(_ path: String) -> String? {
    guard let target = try? File.linkTarget(root + path) else { return nil }
    return target.split(separator: "/").last.map(String.init)
  }

  /// Bytes of the file system that a path is on; nil when it is missing.
  func space(_ path: String) -> (total: UInt64, free: UInt64)? {
    guard let space = try? FileSystemSpace(path: root + path) else { return nil }
    return (space.totalBytes, space.freeBytes)
  }

  func exists(_ path: String) -> Bool {
    File.exists(root + path)
  }
}
