package import JobWire
internal import LinuxSystem

/// The kernel's text files below a root folder: `/` on the machine, a folder of files in tests.
package struct SystemTree: Sendable {
  /// Enough for a routing table of thousands of lines; longer files count as unreadable.
  private static let textLimit = 1 << 20

  /// Without a slash at its end; empty for the machine itself.
  private let root: String

  package init(root: String = "/") {
    self.root = root.hasSuffix("/") ? String(root.dropLast()) : root
  }

  /// Below `JOBRUN_SYSTEM_ROOT` if that is set, a folder that replaces /sys and /proc: for tests of a battery
  /// on a machine without one.
  package static func given(_ environment: Environment) -> SystemTree {
    SystemTree(root: environment["JOBRUN_SYSTEM_ROOT"] ?? "/")
  }

  /// A file's text; nil when it is missing, unreadable or too long.
  package func text(_ path: String) -> String? {
    guard let bytes = try? File.readAll(root + path, limit: Self.textLimit) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The first line without surrounding blanks; nil as for `text`, and when it is empty.
  package func word(_ path: String) -> String? {
    guard let line = text(path)?.split(separator: "\n").first else { return nil }
    let isBlank = { (character: Character) in character == " " || character == "\t" }
    let trimmed = line.drop(while: isBlank).reversed().drop(while: isBlank).reversed()
    return trimmed.isEmpty ? nil : String(trimmed)
  }

  /// The names in a folder, sorted; none when it is missing.
  package func entries(_ path: String) -> [String] {
    ((try? File.names(in: root + path)) ?? []).sorted()
  }

  /// The last component of a symbolic link's target: a device's driver, for example.
  package func linkName(_ path: String) -> String? {
    guard let target = try? File.linkTarget(root + path) else { return nil }
    return target.split(separator: "/").last.map(String.init)
  }

  /// Bytes of the file system that a path is on; nil when it is missing.
  package func space(_ path: String) -> (total: UInt64, free: UInt64)? {
    guard let space = try? FileSystemSpace(path: root + path) else { return nil }
    return (space.totalBytes, space.freeBytes)
  }

  package func exists(_ path: String) -> Bool {
    File.exists(root + path)
  }
}
