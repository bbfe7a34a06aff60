/// Where notices go beside the desktop: `ntfy:mytopic`, `https://…`, `mailto:me@example.org`.
package enum NoticeTarget: Hashable, Sendable {
  /// The address of a topic of an ntfy server.
  case ntfy(String)
  /// It gets JSON.
  case webhook(String)
  case mail(String)

  /// Nil for other texts.
  package init?(_ text: String) {
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
    if let topic = text.rest(behind: "ntfy:") {
      if topic.isWebAddress {
        self = .ntfy(topic)
      } else if !topic.isEmpty, topic.utf8.allSatisfy({ $0.isTopic }) {
        self = .ntfy("https://ntfy.sh/\(topic)")
      } else {
        return nil
      }
    } else if let address = text.rest(behind: "mailto:") {
      let halves = address.split(separator: "@", omittingEmptySubsequences: false)
      guard halves.count <= 2, halves.allSatisfy({ !$0.isEmpty }), !address.hasPrefix("-"),
        !address.contains(",")
      else { return nil }
      self = .mail(address)
    } else if text.isWebAddress {
      self = .webhook(text)
    } else {
      return nil
    }
  }

  /// Where it goes, without what an address may hold as a secret.
  package var place: String {
    switch self {
    case .ntfy(let address): address.host
    case .webhook(let address): address.host
    case .mail(let address): address
    }
  }
}

extension String {
  fileprivate func rest(behind prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }

  /// Of a web address, without a name and password before it.
  fileprivate var host: String {
    let parts = split(separator: "/", maxSplits: 2)
    let authority = parts.count > 1 ? parts[1] : self[...]
    return String(authority.split(separator: "@").last ?? "")
  }

  fileprivate var isWebAddress: Bool {
    for scheme in ["https://", "http://"] {
      if let rest = rest(behind: scheme) { return !rest.isEmpty && !rest.hasPrefix("/") }
    }
    return false
  }
}

extension UInt8 {
  fileprivate var isTopic: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
