import JobClient
import JobWire
import LinuxSystem

/// Changes `config.json` for a command: completely or not at all.
struct SettingsFile {
  /// The new value of one key.
  struct Change {
    let keys: [String]
    /// As JSON; nil: the key goes.
    let value: String?

    /// `keys`: the key of an object in an object, and so on.
    init(_ keys: [String], _ value: String?) {
      self.keys = keys
      self.value = value
    }
  }

  let path: String

  /// Makes the changes, through a link if the file is one; waits for other commands that change the file.
  ///
  /// `what` describes the change in words; `apply` makes the same change to the parsed settings, to check the
  /// written file against.
  func write(
    _ changes: [Change], _ what: String, apply: (inout RunnerConfiguration) -> Void
  ) throws(WireError) {
    let target = (try? File.resolved(path)) ?? path
    let lock = try Self.lock(File.parent(of: target))
    defer { lock.unlock() }
    let permissions = ((try? File.status(target)) ?? nil).map { $0.mode & 0o777 } ?? 0o600
    let before = File.exists(target) ? (try? File.readAll(target, limit: Limits.manifestBytes)) : []
    guard let before, let after = Self.changed(before, changes),
      var wanted = Self.read(before, file: path), let found = Self.read(after, file: path)
    else { throw unchangeable(what) }
    apply(&wanted)
    guard found == wanted else { throw unchangeable(what) }
    if after == before { return }
    try WireError.from(.cannotCreate) { () throws(SystemError) in
      try File.writeAtomically(after, to: target, permissions: permissions, durable: true)
    }
  }

  private static func lock(_ folder: String) throws(WireError) -> FileDescriptor {
    do throws(SystemError) {
      try File.makeDirectories(folder)
      let lock = try File.open(folder, [.read, .directory])
      try lock.lock()
      return lock
    } catch {
      throw WireError(.cannotCreate, error)
    }
  }

  private func unchangeable(_ what: String) -> WireError {
    WireError(.cannotCreate, "\(path) cannot be changed; write \(what) into it by hand")
  }

  private static func read(_ bytes: [UInt8], file: String) -> RunnerConfiguration? {
    bytes.isEmpty ? RunnerConfiguration() : try? RunnerConfiguration.parse(bytes, file: file)
  }

  private static func changed(_ before: [UInt8], _ changes: [Change]) -> [UInt8]? {
    var bytes = before
    for change in changes {
      let text = SettingsText(bytes)
      if let value = change.value {
        guard let changed = text.setting(change.keys, to: value) else { return nil }
        bytes = changed
      } else {
        bytes = text.removing(change.keys) ?? bytes
      }
    }
    return bytes
  }
}
