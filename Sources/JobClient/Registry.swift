package import JobWire
import LinuxSystem

/// The registered bundle folders: `state/registered`, one absolute path a line.
package struct Registry: Hashable, Sendable {
  package let paths: Paths

  package init(paths: Paths) {
    self.paths = paths
  }

  /// Adds a folder; false when it was registered already.
  ///
  /// A reader sees the old or the new content, and of two concurrent writers neither loses its folder.
  package func add(_ folder: String) throws(WireError) -> Bool {
    guard !folder.contains("\n") else {
      throw WireError(.usage, "a folder with a line break in its name cannot be registered")
    }
    do throws(DirectoryError) {
      try PrivateDirectory.prepare(paths.stateDirectory)
    } catch {
      throw WireError(.cannotCreate, error.description)
    }
    return try WireError.from(.cannotCreate) { () throws(SystemError) in try write(folder) }
  }

  /// The content of the file; empty when there is none.
  package func content() -> String {
    let bytes = (try? File.readAll(paths.registered, limit: Limits.manifestBytes)) ?? []
    return String(decoding: bytes, as: UTF8.self)
  }

  private func write(_ folder: String) throws(SystemError) -> Bool {
    let lock = try File.open(paths.registered + ".lock", [.read, .write, .create, .noFollow])
    try lock.lock()
    let bytes = File.exists(paths.registered) ? try File.readAll(paths.registered) : []
    var folders = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    guard !folders.contains(folder) else { return false }
    folders.append(folder)
    let text = folders.joined(separator: "\n") + "\n"
    try File.writeAtomically(Array(text.utf8), to: paths.registered, durable: true)
    lock.unlock()
    return true
  }
}
