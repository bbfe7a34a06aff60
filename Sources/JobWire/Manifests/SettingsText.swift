/// The text of `config.json`, changed in one place: the user's comments, order and blanks stay.
package struct SettingsText {
  private var bytes: [UInt8]
  private var index = 0

  /// Empty if there is no file yet.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  private struct Member {
    let name: [UInt8]
    /// From the first quotation mark.
    let start: Int
    let value: Range<Int>
    /// Where a comma follows.
    let comma: Int?
  }

  /// The text with this value, as JSON, for a top-level `key`; nil without a top-level object.
  ///
  /// The caller must check that the result can still be read.
  package func setting(_ key: String, to value: String) -> [UInt8]? { setting([key], to: value) }

  /// The same for a key in nested objects; missing objects are made.
  package func setting(_ path: [String], to value: String) -> [UInt8]? {
    set(path[...], to: Array(value.utf8), indentation: "  ")
  }

  /// The text without this key in nested objects; nil if it is missing.
  package func removing(_ path: [String]) -> [UInt8]? { remove(path[...]) }

  private func set(
    _ path: ArraySlice<String>, to value: [UInt8], indentation: String
  ) -> [UInt8]? {
    guard let key = path.first else { return value }
    guard let (content, members) = members() else { return nil }
    let old = members.first { $0.name == Array(key.utf8) }
    let before = old.map { Array(bytes[$0.value]) } ?? []
    let rest = path.dropFirst()
    guard
      let after = SettingsText(before).set(rest, to: value, indentation: indentation + "  ")
    else { return nil }
    if let old { return replacing(old.value, by: after) }
    let outer = String(indentation.dropLast(2))
    let entry = Array("\n\(indentation)\"\(key)\": ".utf8) + after
    guard let content else {
      return bytes + [UInt8(ascii: "{")] + entry
        + Array("\n\(outer)}\(outer.isEmpty ? "\n" : "")".utf8)
    }
    let end = Array((members.isEmpty ? "\n" + outer : ",").utf8)
    return replacing(content..<content, by: entry + end)
  }

  private func replacing(_ range: Range<Int>, by other: [UInt8] = []) -> [UInt8] {
    var copy = bytes
    copy.replaceSubrange(range, with: other)
    return copy
  }

  private func remove(_ path: ArraySlice<String>) -> [UInt8]? {
    guard let key = path.first, let (_, members) = members(),
      let index = members.firstIndex(where: { $0.name == Array(key.utf8) })
    else { return nil }
    let member = members[index]
    let rest = path.dropFirst()
    if !rest.isEmpty {
      guard let after = SettingsText(Array(bytes[member.value])).remove(rest) else { return nil }
      let isEmptied = after.filter { !Self.isSpace($0) } == Array("{}".utf8)
      if !isEmptied { return replacing(member.value, by: after) }
    }
    let end = member.comma.map { $0 + 1 } ?? member.value.upperBound
    var start = member.start
    while start > 0, Self.isSpace(bytes[start - 1]) { start -= 1 }
    // The following text would become part of the line comment before it.
    let before = bytes[(index > 0 ? members[index - 1].value.upperBound : 0)..<start]
    let isCommented = before.indices.contains { before[$0...].starts(with: "//".utf8) }
    let endsLine = bytes[end...].first { $0 != 0x20 && $0 != 0x09 } == 0x0A
    var copy = SettingsText(replacing(start..<end, by: isCommented && !endsLine ? [0x0A] : []))
    if member.comma != nil { return copy.bytes }
    // The last one takes the comma before it along.
    if index > 0, let comma = members[index - 1].comma { copy.bytes.remove(at: comma) }
    return copy.bytes
  }

  /// The position after the opening brace, and the members; nil without an object.
  ///
  /// An empty file has no braces yet.
  private func members() -> (content: Int?, members: [Member])? {
    var copy = self
    return copy.readMembers()
  }

  private mutating func readMembers() -> (content: Int?, members: [Member])? {
    skipBlank()
    guard index < bytes.count else { return (nil, []) }
    guard accept("{") else { return nil }
    let start = index
    var members: [Member] = []
    skipBlank()
    while index < bytes.count, bytes[index] == UInt8(ascii: "\"") {
      let first = index
      let name = readString()
      skipBlank()
      guard accept(":") else { return nil }
      skipBlank()
      let value = index
      skipValue()
      let end = index
      skipBlank()
      let comma = index
      let isFollowed = accept(",")
      members.append(
        Member(
          name: name, start: first, value: value..<end, comma: isFollowed ? comma : nil))
      skipBlank()
    }
    guard index < bytes.count, bytes[index] == UInt8(ascii: "}") else { return nil }
    return (start, members)
  }

  private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

  private mutating func accept(_ mark: Unicode.Scalar) -> Bool {
    guard index < bytes.count, bytes[index] == UInt8(ascii: mark) else { return false }
    index += 1
    return true
  }

  /// White space and both kinds of comments.
  private mutating func skipBlank() {
    while index < bytes.count {
      if Self.isSpace(bytes[index]) {
        index += 1
      } else if bytes[index...].starts(with: "//".utf8) {
        while index < bytes.count, bytes[index] != 0x0A { index += 1 }
      } else if bytes[index...].starts(with: "/*".utf8) {
        index += 2
        while index < bytes.count, !bytes[index...].starts(with: "*/".utf8) { index += 1 }
        index = min(index + 2, bytes.count)
      } else {
        return
      }
    }
  }

  /// The raw text between the quotation marks.
  private mutating func readString() -> [UInt8] {
    index += 1
    let start = index
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    let end = min(index, bytes.count)
    index = min(end + 1, bytes.count)
    return Array(bytes[start..<end])
  }

  /// Skips one value of any kind.
  private mutating func skipValue() {
    var depth = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""):
        _ = readString()
        if depth == 0 { return }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        index += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return }
        depth -= 1
        index += 1
        if depth == 0 { return }
      case UInt8(ascii: "/"), 0x20, 0x09, 0x0A, 0x0D:
        if depth == 0 { return }
        let before = index
        skipBlank()
        if index == before { index += 1 }
      case UInt8(ascii: ",") where depth == 0: return
      default: index += 1
      }
    }
  }
}
