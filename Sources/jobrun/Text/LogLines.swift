/// Splits a job's output into lines, for programs that need one object per line.
struct LogLines {
  /// A line, or a piece of one that exceeds the limit.
  struct Piece: Hashable {
    /// From 1.
    var line: UInt64
    /// Without its newline; invalid UTF-8 is replaced.
    var text: String
  }

  /// Longest piece in bytes; a longer line comes in several with the same number.
  static let pieceBytes = 64 * 1024

  private var open: [UInt8] = []
  private var line: UInt64

  /// `before`: how many lines come before the first byte.
  init(after before: UInt64 = 0) {
    line = before + 1
  }

  /// The lines that these bytes end.
  mutating func receive(_ bytes: [UInt8]) -> [Piece] {
    var pieces: [Piece] = []
    var rest = bytes[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      open += rest[..<end]
      rest = rest[rest.index(after: end)...]
      pieces += cut() + [finish()]
      line += 1
    }
    open += rest
    return pieces + cut()
  }

  /// The text after the last newline; nil when it is empty.
  mutating func last() -> Piece? { open.isEmpty ? nil : finish() }

  private mutating func cut() -> [Piece] {
    var pieces: [Piece] = []
    while open.count > Self.pieceBytes {
      let end = boundary
      pieces.append(Piece(line: line, text: String(decoding: open[..<end], as: UTF8.self)))
      open.removeSubrange(..<end)
    }
    return pieces
  }

  /// The last place for a cut that is not within a character.
  private var boundary: Int {
    var end = Self.pieceBytes
    while end > Self.pieceBytes - 4, open[end] & 0xC0 == 0x80 { end -= 1 }
    return end
  }

  private mutating func finish() -> Piece {
    defer { open = [] }
    return Piece(line: line, text: String(decoding: open, as: UTF8.self))
  }
}
