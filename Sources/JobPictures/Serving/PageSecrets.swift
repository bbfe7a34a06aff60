internal import LinuxSystem

/// The secrets that authorize a page: kept until the machine restarts, so that an open page reconnects when
/// `jobrun web` serves the same port again.
struct PageSecrets {
  /// In the printed address, after `#`, which is not sent to servers and not logged.
  var token = RandomBytes.hexadecimal(count: 16)
  /// Replaces the token; the page sends it with every request.
  ///
  /// Not a cookie: browsers share cookies between all ports of a machine, and other users may serve pages
  /// there.
  var key = RandomBytes.hexadecimal(count: 16)

  private static let bytes = 65

  init() {}

  /// The secrets of this port from the runtime folder, which other users cannot read; new ones if there are
  /// none.
  ///
  /// A read-only page has a separate key, so that it cannot do more.
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
