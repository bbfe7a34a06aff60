import JobClient
import JobWire
import LinuxSystem

/// `config.json`, as it is changed by a command: whole or not at all.
struct SettingsFile {
  let path: String

  /// Gives one key another value, as JSON, or none, wherever a link leads to the file.
  ///
  /// `isRight` holds what will be read against what was meant; `what` is that in words.
  func write(
    _ value: String?, to keys: [String], _ what: String,
    isRight: (RunnerConfiguration) -> Bool
  ) throws(WireError) {
    let target = (try? File.resolved(path)) ?? path
    let permissions = ((try? File.status(target)) ?? nil).map { $0.mode & 0o777 } ?? 0o600
    try WireError.from(.cannotCreate) { () throws(SystemError) in
      try File.makeDirectories(File.parent(of: target))
    }
    let before = File.exists(target) ? (try? File.readAll(target, limit: Limits.manifestBytes)) : []
    guard let before, let after = Self.changed(before, value, keys),
      let read = try? RunnerConfiguration.parse(after, file: path), isRight(read)
    else {
      throw WireError(.cannotCreate, "\(path) cannot be changed; write \(what) into it by hand")
    }
    if after == before { return }
    try WireError.from(.cannotCreate) { () throws(SystemError) in
      try File.writeAtomically(after, to: target, permissions: permissions, durable: true)
    }
  }

  private static func changed(_ before: [UInt8], _ value: String?, _ keys: [String]) -> [UInt8]? {
    let text = SettingsText(before)
    guard let value else { return text.removing(keys) ?? before }
    return text.setting(keys, to: value)
  }
}
