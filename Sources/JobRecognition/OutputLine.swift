/// One line as it appeared on a screen, without escape sequences.
///
/// Bytes, not text: invalid UTF-8 does no harm, and all recognisers' patterns are ASCII.
package struct OutputLine: Hashable, Sendable {
  package let bytes: [UInt8]
  /// Whether its end was seen; a line that is still being written is shown again later, longer.
  package let isComplete: Bool
  /// No end was seen, and no carriage return, with which programs end lines that they will write over.
  let mayGrow: Bool
  /// Where it stood: rows count downwards from where the output began, as far as is known.
  let row: Int
  /// The same in rows above the lowest that was written to.
  let height: Int
  /// It was written over another one: a carriage return, backspaces or the cursor went before it.
  let isRedrawn: Bool
  /// It replaced another line, and was not replaced itself: the last state of a bar, or a line that was printed
  /// in between.
  let isLeft: Bool
  /// What stands before it on its row: backspaces went back over a part of the row only, `Adding one.txt  45%`.
  let standing: [UInt8]
  /// The words between blanks; used by nearly every recogniser.
  let words: [ArraySlice<UInt8>]
  /// Without any digit it holds no number.
  let hasDigits: Bool
  /// Its counts, from left to right.
  let pairs: [CountPair]

  package init(
    _ bytes: [UInt8], isComplete: Bool = true, hasReturned: Bool = false, row: Int = 0,
    height: Int = 0, isRedrawn: Bool = false, isLeft: Bool = false, standing: [UInt8] = []
  ) {
    self.bytes = bytes
    self.isComplete = isComplete
    mayGrow = !isComplete && !hasReturned
    self.row = row
    self.height = height
    self.isRedrawn = isRedrawn
    self.isLeft = isLeft
    self.standing = standing
    words = bytes.split(separator: UInt8(ascii: " "))
    hasDigits = bytes.contains { $0.isDigit }
    pairs = hasDigits ? CountPair.all(in: bytes[...]) : []
  }

  package init(_ text: String) {
    self.init(Array(text.utf8))
  }

  /// Without the blanks at its start.
  var trimmed: ArraySlice<UInt8> { bytes[...].trimmed }

  /// The line as shown to people.
  var shown: String { String(decoding: trimmed.prefix(Self.shownBytes), as: UTF8.self) }

  /// Longer lines are cut: a progress line fits on a screen.
  private static let shownBytes = 160

  /// The supervisor's heading between two attempts.
  var isAttemptHeading: Bool { isComplete && bytes[...].starts(with: "jobrun: attempt ") }
}

extension OutputLine {
  private static let levels: Set<String> = ["debug", "error", "info", "notice", "warn", "warning"]

  /// Its words without a log's prefix: date, time, level, and marks between.
  var saidWords: ArraySlice<ArraySlice<UInt8>> {
    words.drop { word in
      let bare = word.drop { !$0.isDigit && !$0.isLetter }
      guard let first = bare.first else { return word.count == 1 }
      if first.isDigit {
        return bare.contains(UInt8(ascii: ":")) && !bare.contains(UInt8(ascii: "/"))
          || bare.count { $0 == UInt8(ascii: "-") } == 2
      }
      return Self.levels.contains(GaugeWords.lowercase(bare.prefix { $0.isLetter }))
    }
  }
}

/// A piece of a line that a recogniser reads.
typealias Piece = ArraySlice<UInt8>

extension Piece {
  /// Without the blanks at its start.
  var trimmed: Piece { drop { $0 == UInt8(ascii: " ") } }

  func starts(with text: StaticString) -> Bool {
    text.withUTF8Buffer { unsafe starts(with: $0) }
  }

  func equals(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { unsafe elementsEqual($0) }
  }

  func ends(with text: StaticString) -> Bool {
    suffix(text.utf8CodeUnitCount).equals(text)
  }

  /// The text after the first occurrence; nil without one.
  func after(_ text: StaticString) -> Piece? {
    text.withUTF8Buffer { wanted in
      guard let first = unsafe wanted.first else { return self }
      var start = startIndex
      while let found = self[start...].firstIndex(of: first) {
        if unsafe self[found...].starts(with: wanted) {
          return self[(found + wanted.count)...]
        }
        start = found + 1
      }
      return nil
    }
  }

  /// The text before the first occurrence of a byte; nil without one.
  func before(_ byte: Unicode.Scalar) -> Piece? {
    firstIndex(of: UInt8(ascii: byte)).map { self[..<$0] }
  }

  /// The letters of ASCII in it.
  var letters: [UInt8] { filter { $0.isLetter } }

  func contains(_ text: StaticString) -> Bool { after(text) != nil }
}

extension UInt8 {
  var isDigit: Bool { (0x30...0x39).contains(self) }

  /// A letter of ASCII, or part of a character beyond.
  var isWordByte: Bool {
    switch self {
    case 0x41...0x5A, 0x61...0x7A, 0x80...0xFF: true
    default: false
    }
  }
}
