internal import Foundation
internal import JobFiles

/// An address as a person gives it: http or https, with a host.
struct WebAddress: Hashable {
  /// Who asks, as far as the address says it.
  struct Login: Hashable {
    let name: String
    let password: String
  }

  /// What is asked for, without name and password.
  let text: String
  /// The same with an ellipsis for them.
  let shown: String
  let login: Login?
  /// Scheme, host and port, in small letters: who is asked.
  let origin: String
  private let path: Substring

  /// - Throws: `usage`, with a sentence, when it is none that can be transferred.
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
        "\(shown) has a port that is no number up to 65535; in a password %2F stands for a slash, %3F for ?"
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

  /// Reads `name:password@`.
  private static func login(_ text: Substring) -> Login? {
    guard !text.isEmpty else { return nil }
    let parts = text.dropLast().split(
      separator: ":", maxSplits: 1, omittingEmptySubsequences: false
    ).map { String(decoding: FileName.unescaped($0), as: UTF8.self) }
    return Login(name: parts[0], password: parts.count > 1 ? parts[1] : "")
  }

  /// Where `reference`, as a server gives it, leads from here; nil when it is no reference.
  func resolving(_ reference: String) throws(TransferError) -> WebAddress? {
    guard let base = URL(string: text), let url = URL(string: reference, relativeTo: base) else {
      return nil
    }
    return try WebAddress(url.absoluteString)
  }

  /// The last part of the path as the name of a file; nil when it is none.
  var fileName: BytePath? {
    path.split(separator: "/").last.flatMap { FileName.safe(FileName.unescaped($0)) }
  }
}
