/// The name and password in an address, such as `me:secret` in `https://me:secret@host/`: used, and never
/// shown.
package enum AddressLogin {
  private static let at = UInt8(ascii: "@")
  private static let colon = UInt8(ascii: ":")
  /// Longer logins are not found: the search has to end.
  private static let limit = 1024
  private static let mark = Array("://".utf8)

  /// The ranges of logins in `bytes`, ascending; a NUL ends the text before it.
  package static func ranges(in bytes: ArraySlice<UInt8>) -> [Range<Int>] {
    // Nearly no text has one, and every command of every job is checked.
    guard bytes.contains(at) else { return [] }
    var found: [Range<Int>] = []
    var rest = bytes
    while let colon = rest.firstIndex(of: colon) {
      guard rest[colon...].starts(with: mark) else {
        rest = rest[(colon + 1)...]
        continue
      }
      let scheme = rest[..<colon].suffix(3)
      rest = rest[(colon + mark.count)...]
      guard let end = end(ofLoginIn: rest) else { continue }
      // A login by key has no secret in the address.
      let login = rest[..<end]
      if !login.isEmpty, login.contains(Self.colon) || !scheme.elementsEqual("ssh".utf8) {
        found.append(login.startIndex..<end)
      }
      rest = rest[end...]
    }
    return found
  }

  /// `bytes` with an ellipsis in place of each: `https://…@host/`.
  package static func hidden(in bytes: [UInt8]) -> [UInt8] {
    var shown = bytes
    for range in ranges(in: bytes[...]).reversed() {
      shown.replaceSubrange(range, with: Array("…".utf8))
    }
    return shown
  }

  /// The same for a text.
  package static func hidden(in text: String) -> String {
    guard text.utf8.contains(at) else { return text }
    return String(decoding: hidden(in: Array(text.utf8)), as: UTF8.self)
  }

  /// Where the `@` behind a login is; nil when the address has none.
  private static func end(ofLoginIn rest: ArraySlice<UInt8>) -> Int? {
    let authority = rest.prefix { byte in byte != 0 && !"/?#'\"<> \t\n".utf8.contains(byte) }
    if let end = authority.lastIndex(of: at) { return end }
    // A text in place of a port that is not a number may be a password with a slash in it.
    guard let colon = authority.lastIndex(of: colon), authority.last != UInt8(ascii: "]"),
      !authority[(colon + 1)...].allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    let word = rest.prefix(limit).prefix { $0 != 0 }
    return word.lastIndex(of: at)
  }
}
