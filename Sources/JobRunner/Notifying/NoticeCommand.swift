package import JobWire

/// The program that carries a notice to a target, and its standard input.
///
/// An address may be a secret: it is in the input, not among the arguments, which every user can read.
package struct NoticeCommand: Hashable {
  package let arguments: [String]
  package let input: [UInt8]

  private init(arguments: [String], input: [UInt8]) {
    self.arguments = arguments
    self.input = input
  }

  package init(_ order: NoticeOrder, to target: NoticeTarget) {
    switch target {
    case .ntfy(let address):
      let priority = order.urgency > 1 ? "high" : order.urgency == 1 ? "default" : "low"
      self = Self.request(
        address, order.body.isEmpty ? order.summary : order.body,
        headers: ["Title: \(Self.header(order.summary))", "Priority: \(priority)"])
    case .webhook(let address):
      var writer = JSONWriter()
      writer.beginObject()
      writer.field("title", order.summary)
      writer.field("message", order.body)
      // Slack and Mattermost show "text", Discord "content".
      let text = order.body.isEmpty ? order.summary : "\(order.summary)\n\(order.body)"
      writer.field("text", text)
      writer.field("content", text)
      writer.endObject()
      self = Self.request(
        address, String(decoding: writer.bytes, as: UTF8.self),
        headers: ["Content-Type: application/json"])
    case .mail(let address):
      let text = """
        To: \(address)
        Subject: \(Self.header(order.summary))
        MIME-Version: 1.0
        Content-Type: text/plain; charset=UTF-8
        Content-Transfer-Encoding: 8bit

        \(order.body)

        """
      self.init(arguments: ["sendmail", "-i", "-t"], input: Array(text.utf8))
    }
  }

  /// A request of curl, as its configuration.
  private static func request(
    _ address: String, _ body: String, headers: [String]
  ) -> NoticeCommand {
    let lines =
      ["silent", "show-error", "fail", "output = /dev/null", "max-time = 20"]
      + ["url = \(Self.quotedText(address))", "data-raw = \(Self.quotedText(body))"]
      + headers.map { "header = \(Self.quotedText($0))" }
    return NoticeCommand(
      arguments: ["curl", "--disable", "--config", "-"],
      input: Array((lines.joined(separator: "\n") + "\n").utf8))
  }

  /// In the quotation marks of a configuration of curl.
  private static func quotedText(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  /// The value of a header on one line; text that is not ASCII becomes encoded words (RFC 2047).
  private static func header(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 < 0x20 || $0 > 0x7E }) else { return text }
    // An encoded word has at most 75 characters; whole characters are cut.
    var words: [String] = []
    var piece: [UInt8] = []
    for character in text {
      let bytes = Array(String(character).utf8.map { $0 < 0x20 ? 0x20 : $0 })
      if piece.count + bytes.count > 42 {
        words.append("=?UTF-8?B?\(base64(piece))?=")
        piece = []
      }
      piece += bytes
    }
    words.append("=?UTF-8?B?\(base64(piece))?=")
    return words.joined(separator: " ")
  }

  private static func base64(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let three = (0..<3).map { start + $0 < bytes.count ? UInt32(bytes[start + $0]) : 0 }
      let number = three[0] << 16 | three[1] << 8 | three[2]
      for (place, shift) in [18, 12, 6, 0].enumerated() {
        text.append(
          start + place - 1 < bytes.count || place == 0
            ? digits[Int(number >> UInt32(shift) & 63)] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
