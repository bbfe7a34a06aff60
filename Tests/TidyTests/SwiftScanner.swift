/// Parses Swift source just far enough for the rules: tokens on one side, comments on the other.
///
/// The content of a string is neither, except the code in its interpolations. A slash opens a regular
/// expression only where a value may begin and no blank follows it.
struct SwiftScanner {
  /// A word, a raw identifier with its backticks, a string (`"`), or one punctuation character.
  struct Token: Hashable {
    var text: String
    /// From 1.
    var line: Int
    /// Whether it directly follows the token before.
    var isGlued: Bool
    /// The raw content of a string, with … for each interpolation; nil for other tokens.
    var content: String?
    /// How many of the tokens that follow are in its interpolations.
    var nested = 0

    var isWord: Bool {
      text.utf8.first.map { SwiftScanner.isWordByte($0) || $0 == UInt8(ascii: "`") } ?? false
    }
  }

  /// One line of a comment.
  struct Comment: Hashable {
    var text: String
    /// From 1.
    var line: Int
  }

  private(set) var tokens: [Token] = []
  private(set) var comments: [Comment] = []
  private let bytes: [UInt8]
  private var index = 0
  private var line = 1
  private var lastTokenEnd = -1

  init(_ source: String) {
    bytes = Array(source.utf8)
    scanCode(untilClosingParenthesis: false)
  }

  static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default:
      false
    }
  }

  private mutating func scanCode(untilClosingParenthesis inInterpolation: Bool) {
    var depth = 0
    while index < bytes.count {
      let byte = bytes[index]
      if starts(with: "//") {
        scanLineComment()
      } else if starts(with: "/*") {
        scanBlockComment()
      } else if let hashes = hashesBeforeQuote() {
        scanString(hashes: hashes)
      } else if byte == UInt8(ascii: "`") {
        scanRawIdentifier()
      } else if Self.isWordByte(byte) {
        scanWord()
      } else if let length = regularExpressionLength() {
        emit("/", length: length)
      } else {
        if byte == UInt8(ascii: "(") { depth += 1 }
        if byte == UInt8(ascii: ")") {
          depth -= 1
          if inInterpolation && depth < 0 { return advance(1) }
        }
        scanPunctuation(byte)
      }
    }
  }

  private mutating func scanPunctuation(_ byte: UInt8) {
    if byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\t") {
      advance(1)
    } else {
      emit(String(UnicodeScalar(byte)), length: 1)
    }
  }

  private mutating func scanWord() {
    var end = index
    while end < bytes.count, Self.isWordByte(bytes[end]) { end += 1 }
    emit(String(decoding: bytes[index..<end], as: UTF8.self), length: end - index)
  }

  private mutating func scanRawIdentifier() {
    var end = index + 1
    while end < bytes.count, bytes[end] != UInt8(ascii: "`"), bytes[end] != UInt8(ascii: "\n") {
      end += 1
    }
    end = min(end + 1, bytes.count)
    emit(String(decoding: bytes[index..<end], as: UTF8.self), length: end - index)
  }

  private mutating func scanLineComment() {
    var end = index
    while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
    comments.append(
      Comment(text: String(decoding: bytes[index..<end], as: UTF8.self), line: line))
    index = end
  }

  private mutating func scanBlockComment() {
    var depth = 0
    var text: [UInt8] = []
    repeat {
      if starts(with: "/*") { depth += 1 }
      let closes = starts(with: "*/")
      if closes { depth -= 1 }
      if bytes[index] == UInt8(ascii: "\n") {
        comments.append(Comment(text: String(decoding: text, as: UTF8.self), line: line))
        text = []
      }
      text.append(bytes[index])
      advance(closes || starts(with: "/*") ? 2 : 1)
    } while depth > 0 && index < bytes.count
    comments.append(Comment(text: String(decoding: text, as: UTF8.self), line: line))
  }

  /// The number of `#` before a quote that starts here; nil when none does.
  private func hashesBeforeQuote() -> Int? {
    var end = index
    while end < bytes.count, bytes[end] == UInt8(ascii: "#") { end += 1 }
    return end < bytes.count && bytes[end] == UInt8(ascii: "\"") ? end - index : nil
  }

  private mutating func scanString(hashes: Int) {
    emit("\"", length: hashes)
    let isMultiline = starts(with: "\"\"\"")
    let quote = isMultiline ? "\"\"\"" : "\""
    let fence = String(repeating: "#", count: hashes)
    let token = tokens.count - 1
    var content: [UInt8] = []
    defer {
      tokens[token].content = String(decoding: content, as: UTF8.self)
      tokens[token].nested = tokens.count - 1 - token
    }
    advance(quote.utf8.count)
    while index < bytes.count {
      if starts(with: quote + fence) { return advance(quote.utf8.count + hashes) }
      if starts(with: "\\" + fence + "(") {
        advance(2 + hashes)
        content += Array("…".utf8)
        scanCode(untilClosingParenthesis: true)
        continue
      }
      if !isMultiline && bytes[index] == UInt8(ascii: "\n") { return }
      let length = starts(with: "\\" + fence) ? 2 + hashes : 1
      content += bytes[index..<min(index + length, bytes.count)]
      advance(length)
    }
  }

  /// The length of a regular expression literal that starts here; nil when none does.
  private func regularExpressionLength() -> Int? {
    guard bytes[index] == UInt8(ascii: "/"), index + 1 < bytes.count else { return nil }
    let before = tokens.last?.text ?? ""
    let mayBegin = ["(", ",", "=", ":", "[", "", "return", "#"].contains(before)
    guard mayBegin, bytes[index + 1] != UInt8(ascii: " ") else { return nil }
    var end = index + 1
    while end < bytes.count, bytes[end] != UInt8(ascii: "\n") {
      if bytes[end] == UInt8(ascii: "/") { return end + 1 - index }
      end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    return nil
  }

  private func starts(with text: String) -> Bool {
    var position = index
    for byte in text.utf8 {
      guard position < bytes.count, bytes[position] == byte else { return false }
      position += 1
    }
    return true
  }

  private mutating func emit(_ text: String, length: Int) {
    tokens.append(Token(text: text, line: line, isGlued: index == lastTokenEnd))
    advance(length)
    lastTokenEnd = index
  }

  private mutating func advance(_ count: Int) {
    let end = min(index + count, bytes.count)
    while index < end {
      if bytes[index] == UInt8(ascii: "\n") { line += 1 }
      index += 1
    }
  }
}
