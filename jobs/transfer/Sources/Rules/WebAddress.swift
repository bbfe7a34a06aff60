internal import Foundation
internal import JobFiles

/// An address as a person gives it: http or https, with a host.
struct WebAddress: Hashable {
  /// As it was given: what is asked for.
  let text: String
  /// Without the name and password in it, which nobody is shown.
  let shown: String
  /// Scheme, host and port, in small letters: who is asked.
  let origin: String
  private let path: Substring

  /// Nil, with a sentence, when it is none that can be transferred.
  init(_ text: String) throws(TransferError) {
    guard let mark = text.range(of: "://") else {
      throw .usage("\(text) is not an address; it must begin with http:// or https://")
    }
    let scheme = text[..<mark.lowerBound].lowercased()
    guard scheme == "http" || scheme == "https" else {
      throw .usage("\(text) has the scheme \(scheme); transfers know http and https")
    }
    let rest = text[mark.upperBound...]
    let authority = rest.prefix { !"/?#".contains($0) }
    let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    guard !host.isEmpty, !host.hasPrefix(":") else {
      throw .usage("\(text) names no host; it must be like https://example.org/file")
    }
    guard !text.unicodeScalars.contains(where: { $0.value < 0x21 || $0.value == 0x7F }) else {
      throw .usage("\(text) has a blank or a control character in it; write %20 for a blank")
    }
    self.text = text
    let hidden = host.count == authority.count ? "" : "…@"
    shown = "\(text[..<mark.upperBound])\(hidden)\(host)\(rest.dropFirst(authority.count))"
    origin = "\(scheme)://\(host.lowercased())"
    path = rest.dropFirst(authority.count).prefix { $0 != "?" && $0 != "#" }
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
