/// One line as it stood on a screen, without escape sequences.
///
/// Bytes, not text: what is not UTF-8 is no obstacle, and all that recognisers look for is ASCII.
package struct OutputLine: Hashable, Sendable {
  package let bytes: [UInt8]
  /// Whether its end was seen; a line that is still being written is shown again later, longer.
  package let isComplete: Bool
  /// Where it stood: rows count downwards from where the output began, as far as is known.
  let row: Int
  /// The same in rows above the lowest that was written to.
  let height: Int
  /// It was written over another one: a carriage return, backspaces or the cursor went before it.
  let isRedrawn: Bool
  /// It was written over another one, and nothing is to be written over it: the last state of a bar, or a
  /// line that was printed between.
  let isLeft: Bool
  /// What stands between blanks; nearly every recogniser asks for it.
  let words: [ArraySlice<UInt8>]

  package init(
    _ bytes: [UInt8], isComplete: Bool = true, row: Int = 0, height: Int = 0,
    isRedrawn: Bool = false,
    isLeft: Bool = false
  ) {
    self.bytes = bytes
    self.isComplete = isComplete
    self.row = row
    self.height = height
    self.isRedrawn = isRedrawn
    self.isLeft = isLeft
    words = bytes.split(separator: UInt8(ascii: " "))
  }

  package init(_ text: String) {
    self.init(Array(text.utf8))
  }

  /// Without the blanks at its start.
  var trimmed: ArraySlice<UInt8> { bytes[...].trimmed }

  /// The line as a person is told of it.
  var shown: String { String(decoding: trimmed.prefix(Self.shownBytes), as: UTF8.self) }

  /// What is longer is cut: a line that tells how far a program is fits on a screen.
  private static let shownBytes = 160

  /// What the supervisor writes between two attempts.
  var isAttemptHeading: Bool { isComplete && bytes[...].starts(with: "jobrun: attempt ") }
}

extension OutputLine {
  private static let levels: Set<String> = ["debug", "error", "info", "notice", "warn", "warning"]

  /// Its words without those that a log writes before each line: date, time, level, and marks between.
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

  func starts(with text: StaticString) -> Bool { starts(with: text.bytes) }

  func equals(_ text: StaticString) -> Bool { elementsEqual(text.bytes) }

  func ends(with text: StaticString) -> Bool {
    suffix(text.utf8CodeUnitCount).elementsEqual(text.bytes)
  }

  /// What follows the first occurrence; nil when there is none.
  func after(_ text: StaticString) -> Piece? {
    let wanted = text.bytes
    guard let first = wanted.first else { return self }
    var start = startIndex
    while let found = self[start...].firstIndex(of: first) {
      if self[found...].starts(with: wanted) { return self[(found + wanted.count)...] }
      start = found + 1
    }
    return nil
  }

  /// What stands before the first occurrence of a byte; nil when there is none.
  func before(_ byte: Unicode.Scalar) -> Piece? {
    firstIndex(of: UInt8(ascii: byte)).map { self[..<$0] }
  }

  /// The letters of ASCII in it.
  var letters: [UInt8] { filter { $0.isLetter } }

  func contains(_ text: StaticString) -> Bool { after(text) != nil }
}

extension StaticString {
  fileprivate var bytes: [UInt8] { withUTF8Buffer { unsafe Array($0) } }
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
