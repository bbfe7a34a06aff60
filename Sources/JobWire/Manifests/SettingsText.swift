/// The text of `config.json`, changed in one place: comments, order and blanks of whoever wrote it stay.
package struct SettingsText {
  private var bytes: [UInt8]
  private var index = 0

  /// Empty if there is no file yet.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The text in which `key` at the top has this value, as JSON; nil where no object is to be found.
  ///
  /// It is for whoever writes it to check that the whole can still be read.
  package func setting(_ key: String, to value: String) -> [UInt8]? {
    var copy = self
    return copy.set(key, to: value)
  }

  private mutating func set(_ key: String, to value: String) -> [UInt8]? {
    skipBlank()
    guard index < bytes.count else { return bytes + Array("{\n  \"\(key)\": \(value)\n}\n".utf8) }
    guard accept("{") else { return nil }
    let start = index
    skipBlank()
    let isEmpty = index < bytes.count && bytes[index] == UInt8(ascii: "}")
    while index < bytes.count, bytes[index] == UInt8(ascii: "\"") {
      let name = readString()
      skipBlank()
      guard accept(":") else { return nil }
      skipBlank()
      let first = index
      skipValue()
      if name == Array(key.utf8) {
        return bytes[..<first] + Array(value.utf8) + bytes[index...]
      }
      skipBlank()
      if accept(",") { skipBlank() }
    }
    guard index < bytes.count, bytes[index] == UInt8(ascii: "}") else { return nil }
    let entry = Array("\n  \"\(key)\": \(value)\(isEmpty ? "\n" : ",")".utf8)
    return bytes[..<start] + entry + bytes[start...]
  }

  private mutating func accept(_ mark: Unicode.Scalar) -> Bool {
    guard index < bytes.count, bytes[index] == UInt8(ascii: mark) else { return false }
    index += 1
    return true
  }

  /// White space and both kinds of comments.
  private mutating func skipBlank() {
    while index < bytes.count {
      if [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) {
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

  /// What stands between the quotation marks, as it is written.
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

  /// Up to the end of one value, whatever it is.
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
