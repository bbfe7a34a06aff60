/// A shell command, or a part of one, with places for values: `qdel {id}`.
///
/// A place is a word of letters in braces; other braces are the shell's.
package struct BatchTemplate: Hashable, Sendable {
  private enum Part: Hashable {
    case text(String)
    case place(String)
  }

  private var parts: [Part] = []

  package init(_ text: String) {
    let bytes = Array(text.utf8)
    var start = 0
    var place = 0
    while place < bytes.count {
      guard let end = Self.end(of: place, in: bytes) else {
        place += 1
        continue
      }
      addText(bytes[start..<place])
      parts.append(.place(String(decoding: bytes[(place + 1)..<end], as: UTF8.self)))
      (start, place) = (end + 1, end + 1)
    }
    addText(bytes[start...])
  }

  private mutating func addText(_ bytes: ArraySlice<UInt8>) {
    if !bytes.isEmpty { parts.append(.text(String(decoding: bytes, as: UTF8.self))) }
  }

  /// The closing brace of the place that begins here; `${name}` is a variable of the shell.
  private static func end(of open: Int, in bytes: [UInt8]) -> Int? {
    guard bytes[open] == UInt8(ascii: "{"), open == 0 || bytes[open - 1] != UInt8(ascii: "$") else {
      return nil
    }
    var end = open + 1
    while end < bytes.count, isLetter(bytes[end]) { end += 1 }
    return end > open + 1 && end < bytes.count && bytes[end] == UInt8(ascii: "}") ? end : nil
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  package var places: [String] {
    parts.compactMap { if case .place(let name) = $0 { name } else { nil } }
  }

  /// With the values of its places; a place without a value stays empty.
  package func filled(_ value: (String) -> String?) -> String {
    var text = ""
    for part in parts {
      switch part {
      case .text(let words): text += words
      case .place(let name): text += value(name) ?? ""
      }
    }
    return text
  }
}
