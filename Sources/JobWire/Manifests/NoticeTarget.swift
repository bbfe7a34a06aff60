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
}

extension String {
  fileprivate func rest(behind prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
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
