import JobWire

/// A record of comma-separated values (RFC 4180), without its line end.
enum CSVText {
  static func record(_ fields: [String]) -> String {
    fields.map(field).joined(separator: ",")
  }

  private static func field(_ text: String) -> String {
    guard text.utf8.contains(where: { "\",\r\n".utf8.contains($0) }) else { return text }
    return "\"\(text.escaping(["\"": "\"\""]))\""
  }
}
