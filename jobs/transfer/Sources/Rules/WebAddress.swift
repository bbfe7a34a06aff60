internal import Foundation
internal import JobFiles

/// An address on the command line: http or https, with a host.
struct WebAddress: Hashable {
  /// The credentials in the address.
  struct Login: Hashable {
    let name: String
    let password: String
  }

  /// The address without name and password.
  let text: String
  /// The same with an ellipsis in their place.
  let shown: String
  let login: Login?
  /// Scheme, host and port in lower case: the server.
  let origin: String
  private let path: Substring

  /// - Throws: `usage` with a sentence when it cannot be transferred.
  init(_ text: String) throws(TransferError) {
    shown = Report.address(text)
    guard let mark = text.range(of: "://") else {
      throw .usage("\(shown) is not an address; it must begin with http:// or https://")
    }
    let scheme = text[..<mark.lowerBound].lowercased()
    guard scheme == "http" || scheme == "https" else {
      throw .usage("\(shown) has the scheme \(scheme); transfers know http and https")
    }
    let rest = text[mark.upperBound...]
    let authority = rest.prefix { !"/?#".contains($0) }
    let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    guard !host.isEmpty, !host.hasPrefix(":") else {
      throw .usage("\(shown) names no host; it must be like https://example.org/file")
    }
    guard Self.hasSoundPort(host) else {
      throw .usage(
        "\(shown) has a port that is not a number up to 65535; in a password %2F stands for a slash, %3F for ?"
      )
    }
    guard !text.unicodeScalars.contains(where: { $0.value < 0x21 || $0.value == 0x7F }) else {
      throw .usage("\(shown) has a blank or a control character in it; write %20 for a blank")
    }
    let path = rest.dropFirst(authority.count)
    login = Self.login(authority.dropLast(host.count))
    self.text = "\(text[..<mark.upperBound])\(host)\(path)"
    origin = "\(scheme)://\(host.lowercased())"
    self.path = path.prefix { $0 != "?" && $0 != "#" }
  }

  private static func hasSoundPort(_ host: Substring) -> Bool {
    guard let colon = host.lastIndex(of: ":"), host.last != "]" else { return true }
    let digits = host[host.index(after: colon)...]
    return digits.isEmpty || UInt16(digits) != nil
  }

  /// Parses `name:password@`.
  private static func login(_ text: Substring) -> Login? {
    guard !text.isEmpty else { return nil }
    let parts = text.dropLast().split(
      separator: ":", maxSplits: 1, omittingEmptySubsequences: false
    ).map { String(decoding: FileName.unescaped($0), as: UTF8.self) }
    return Login(name: parts[0], password: parts.count > 1 ? parts[1] : "")
  }

  /// The address for a server's `reference`, relative to this one; nil when it is malformed.
  func resolving(_ reference: String) throws(TransferError) -> WebAddress? {
    guard let base = URL(string: text), let url = URL(string: reference, relativeTo: base) else {
      return nil
    }
    return try WebAddress(url.absoluteString)
  }

  /// The last part of the path as a file name; nil when it is not a valid one.
  var fileName: BytePath? {
    path.split(separator: "/").last.flatMap { FileName.safe(FileName.unescaped($0)) }
  }
}
