/// What a person's terminal tells the terminal of a job.
///
/// A byte for the kind, `k` or `s`, two for the number of bytes that follow, the lower first, and those. A word
/// fits into one write to a pipe, so that those of several people do not mix (PIPE_BUF of pipe(7)).
package enum TerminalWord: Hashable, Sendable {
  /// Bytes that were typed, as they are.
  case keys([UInt8])
  /// The size in characters from now on.
  case size(columns: UInt16, rows: UInt16)

  /// The maximum number of typed bytes in one word.
  private static let most = 1_024

  /// Typed bytes, as many words as they need.
  package static func words(typing bytes: [UInt8]) -> [TerminalWord] {
    stride(from: 0, to: bytes.count, by: most).map { start in
      .keys(Array(bytes[start..<min(start + most, bytes.count)]))
    }
  }

  package var encoded: [UInt8] {
    switch self {
    case .keys(let bytes):
      [UInt8(ascii: "k")] + Self.encoded(UInt16(clamping: bytes.count)) + bytes
    case .size(let columns, let rows):
      [UInt8(ascii: "s")] + Self.encoded(4) + Self.encoded(columns) + Self.encoded(rows)
    }
  }

  private static func encoded(_ number: UInt16) -> [UInt8] {
    [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
  }

  /// Nil for a kind or a length that does not exist.
  fileprivate init?(_ kind: UInt8, _ content: ArraySlice<UInt8>) {
    switch kind {
    case UInt8(ascii: "k") where content.count <= Self.most: self = .keys(Array(content))
    case UInt8(ascii: "s") where content.count == 4:
      self = .size(
        columns: TerminalWords.number(content), rows: TerminalWords.number(content.dropFirst(2)))
    default: return nil
    }
  }
}

/// Makes words of bytes that arrive in pieces.
package struct TerminalWords: Sendable {
  private var bytes: [UInt8] = []

  package init() {}

  package mutating func append(_ more: [UInt8]) { bytes += more }

  /// The next word, without bytes that make no sense; nil when more bytes are needed.
  package mutating func next() -> TerminalWord? {
    while bytes.count >= 3 {
      let end = 3 + Int(Self.number(bytes[1...]))
      guard bytes.count >= end else { return nil }
      let word = TerminalWord(bytes[0], bytes[3..<end])
      bytes.removeSubrange(..<end)
      if let word { return word }
    }
    return nil
  }

  fileprivate static func number(_ bytes: ArraySlice<UInt8>) -> UInt16 {
    UInt16(bytes[bytes.startIndex]) | UInt16(bytes[bytes.startIndex + 1]) << 8
  }
}
