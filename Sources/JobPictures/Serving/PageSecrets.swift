internal import LinuxSystem

/// What lets a page in: kept until the machine restarts, so that a page that is open finds back when
/// `jobrun web` does on the same port.
struct PageSecrets {
  /// In the address that is printed, behind `#`, where no server and no log sees it.
  var token = RandomBytes.hexadecimal(count: 16)
  /// What the token is exchanged for, and the page shows with every request.
  ///
  /// No cookie: browsers have one jar for all ports of a machine, and other users may serve something there.
  var key = RandomBytes.hexadecimal(count: 16)

  private static let bytes = 65

  init() {}

  /// Those of this port in the runtime folder, which nobody else can read; fresh ones where there are none.
  ///
  /// Whoever was let in to look has no key to do more.
  init(port: UInt16, isReadOnly: Bool, in runtime: String?) {
    guard let runtime else { return }
    let path = "\(runtime)/web-\(port)" + (isReadOnly ? "-read-only" : "")
    if let kept = Self.kept(path) {
      self = kept
    } else {
      // Where they cannot be kept, a page needs the address anew.
      try? File.writeAtomically(Array("\(token) \(key)".utf8), to: path)
    }
  }

  private static func kept(_ path: String) -> PageSecrets? {
    guard let status = try? File.status(path, followingLinks: false), status.kind == .file,
      status.owner == CurrentProcess.userIdentifier, status.mode & 0o077 == 0,
      let bytes = try? File.readAll(path, limit: Self.bytes)
    else { return nil }
    let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
    guard words.count == 2,
      words.allSatisfy({ $0.utf8.count == 32 && $0.allSatisfy { $0.isHexDigit } })
    else { return nil }
    var secrets = PageSecrets()
    (secrets.token, secrets.key) = (String(words[0]), String(words[1]))
    return secrets
  }

  /// Shows that the key is known here without showing it.
  func proof(for nonce: String) -> String { SHA256.text(of: Array("\(key) \(nonce)".utf8)) }
}
