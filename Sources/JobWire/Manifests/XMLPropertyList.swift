/// Reads a property list in XML, in UTF-8.
struct XMLPropertyList {
  private struct Tag {
    var name: String
    /// `</name>`.
    var isEnd = false
    /// `<name/>`.
    var isEmpty = false
  }

  private let bytes: [UInt8]
  private var position = 0
  private var count = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The only value.
  mutating func value() throws(PropertyList.Problem) -> PropertyList {
    let first = try tag()
    guard first.name == "plist" else { return try value(of: first, depth: 0) }
    guard !first.isEnd, !first.isEmpty else { throw problem("it has no value") }
    let value = try value(of: tag(), depth: 0)
    try end(of: "plist")
    return value
  }

  private mutating func value(
    of tag: Tag, depth: Int
  ) throws(PropertyList.Problem) -> PropertyList {
    count += 1
    guard depth < PropertyList.maximumDepth, count < PropertyList.maximumValues else {
      throw problem("it has too many values, or too many within each other")
    }
    guard !tag.isEnd else { throw problem("</\(tag.name)> ends nothing") }
    switch tag.name {
    case "dict": return .table(tag.isEmpty ? [:] : try table(depth))
    case "array": return .list(tag.isEmpty ? [] : try list(depth))
    case "string": return .text(tag.isEmpty ? "" : try text(of: tag.name))
    case "integer", "real", "date", "data", "true", "false":
      if !tag.isEmpty { _ = try text(of: tag.name) }
      return .other
    default: throw problem("<\(tag.name)> is no value")
    }
  }

  private mutating func table(_ depth: Int) throws(PropertyList.Problem) -> [String: PropertyList] {
    var values: [String: PropertyList] = [:]
    while true {
      let key = try tag()
      if key.isEnd, key.name == "dict" { return values }
      guard key.name == "key", !key.isEnd else { throw problem("<key> must be before each value") }
      let name = key.isEmpty ? "" : try text(of: "key")
      values[name] = try value(of: tag(), depth: depth + 1)
    }
  }

  private mutating func list(_ depth: Int) throws(PropertyList.Problem) -> [PropertyList] {
    var values: [PropertyList] = []
    while true {
      let next = try tag()
      if next.isEnd, next.name == "array" { return values }
      values.append(try value(of: next, depth: depth + 1))
    }
  }

  /// The text up to the end tag.
  private mutating func text(of name: String) throws(PropertyList.Problem) -> String {
    var text: [UInt8] = []
    while let byte = next {
      if skip("<![CDATA[") {
        text += try taken(upTo: "]]>")
      } else if skip("<!--") {
        _ = try taken(upTo: "-->")
      } else if byte == UInt8(ascii: "<") {
        try end(of: name)
        return String(decoding: text, as: UTF8.self)
      } else if byte == UInt8(ascii: "&") {
        position += 1
        text += try entity()
      } else {
        text.append(byte)
        position += 1
      }
    }
    throw problem("it ends within <\(name)>")
  }

  private mutating func entity() throws(PropertyList.Problem) -> [UInt8] {
    let name = String(decoding: try taken(upTo: ";").prefix(12), as: UTF8.self)
    switch name {
    case "lt": return [UInt8(ascii: "<")]
    case "gt": return [UInt8(ascii: ">")]
    case "amp": return [UInt8(ascii: "&")]
    case "quot": return [UInt8(ascii: "\"")]
    case "apos": return [UInt8(ascii: "'")]
    default: break
    }
    let isHexadecimal = name.hasPrefix("#x")
    let number = UInt32(name.dropFirst(isHexadecimal ? 2 : 1), radix: isHexadecimal ? 16 : 10)
    guard name.hasPrefix("#"), let number, let scalar = Unicode.Scalar(number) else {
      throw problem("&\(name); is not known")
    }
    return Array(String(Character(scalar)).utf8)
  }
}

// Tags, and what may be between them.
extension XMLPropertyList {
  private mutating func end(of name: String) throws(PropertyList.Problem) {
    let tag = try tag()
    guard tag.isEnd, tag.name == name else { throw problem("</\(name)> is missing") }
  }

  private mutating func tag() throws(PropertyList.Problem) -> Tag {
    try skipNotes()
    guard skip("<") else {
      throw problem(next == nil ? "it ends too early" : "a tag like <dict> must be here")
    }
    let isEnd = skip("/")
    let start = position
    while let byte = next, Self.isLetter(byte) { position += 1 }
    let name = String(decoding: bytes[start..<position], as: UTF8.self)
    let rest = try taken(upTo: ">")
    guard !name.isEmpty else { throw problem("a tag has no name") }
    return Tag(name: name, isEnd: isEnd, isEmpty: rest.last == UInt8(ascii: "/"))
  }

  /// Blanks, `<?xml …?>`, `<!DOCTYPE …>` and comments.
  private mutating func skipNotes() throws(PropertyList.Problem) {
    if position == 0 { _ = skip("\u{FEFF}") }
    while let byte = next {
      if [0x20, 0x09, 0x0A, 0x0D].contains(byte) {
        position += 1
      } else if skip("<!--") {
        _ = try taken(upTo: "-->")
      } else if skip("<?") {
        _ = try taken(upTo: "?>")
      } else if skip("<!DOCTYPE") {
        _ = try taken(upTo: ">")
      } else {
        return
      }
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skip(_ text: String) -> Bool {
    guard bytes[position...].starts(with: text.utf8) else { return false }
    position += text.utf8.count
    return true
  }

  /// What is before `end`, which is skipped.
  private mutating func taken(upTo end: String) throws(PropertyList.Problem) -> ArraySlice<UInt8> {
    let start = position
    while position < bytes.count {
      let here = position
      if skip(end) { return bytes[start..<here] }
      position += 1
    }
    position = start
    throw problem("\(end) is missing")
  }

  private func problem(_ sentence: String) -> PropertyList.Problem {
    let line = 1 + bytes[..<position].count { $0 == UInt8(ascii: "\n") }
    return PropertyList.Problem(line: line, sentence: sentence)
  }
}
