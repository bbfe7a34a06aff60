/// The extended regular expression that a person gives for the lines of a program: for progress
/// (`--progress REGEX`), or for the list of a batch system.
///
/// The syntax of `grep -E`, in bytes, with `\d` for a digit, `*?` for lazy repetition, `(?:…)` and named
/// groups, `(?<name>…)`; without back-references, which take exponential time. Of several alternatives the
/// first match counts.
///
/// The pattern is untrusted, so everything has a limit: the length of the pattern, its nesting and its
/// repetitions, the size of the compiled program, and the steps per line. Time is linear in the line, and
/// memory in the pattern.
package struct LinePattern: Hashable, Sendable {
  /// Why a pattern cannot be used.
  package struct Problem: Error, Hashable {
    package let reason: String

    init(_ reason: String) {
      self.reason = reason
    }
  }

  /// Longest pattern, in bytes.
  package static let maximumBytes = 1000
  /// Deepest nesting of brackets.
  static let maximumNesting = 20
  /// Largest number in `{n,m}`.
  static let maximumRepetitions = 255
  /// Largest program, in instructions.
  static let maximumInstructions = 1000
  /// Further groups match but are not reported.
  static let maximumGroups = 8

  /// The pattern as written.
  package let text: String
  /// The number of groups.
  package let groupCount: Int
  /// The places of named groups among all groups, from 0.
  package let names: [String: Int]
  let program: [PatternInstruction]
  let sets: [ByteSet]

  /// - Throws: `Problem`, with a reason that ends a sentence.
  package init(_ text: String) throws(Problem) {
    let bytes = Array(text.utf8)
    guard bytes.count <= Self.maximumBytes else {
      throw Problem("it has \(bytes.count) bytes, and \(Self.maximumBytes) is the limit")
    }
    var parser = PatternParser(bytes)
    let tree = try parser.parse()
    var compiler = PatternCompiler()
    try compiler.compile(tree)
    self.text = text
    groupCount = parser.groupCount
    names = parser.names
    (program, sets) = (compiler.program, compiler.sets)
  }

  /// The place of a named group among those that are reported; nil = there is no such group.
  package func group(_ name: String) -> Int? {
    names[name].flatMap { $0 < Self.maximumGroups ? $0 : nil }
  }

  /// The groups of the first match; a group that took no part is empty; nil = no match.
  ///
  /// `steps` is the remaining budget, which the search reduces; at 0 it gives up.
  package func groups(in line: [UInt8], steps: inout Int) -> [[UInt8]]? {
    var search = PatternSearch(self)
    return search.groups(in: line, steps: &steps)
  }
}

/// One instruction of a translated pattern; targets are places in the program.
enum PatternInstruction: Hashable, Sendable {
  case byte(UInt8)
  case any
  /// One of the bytes of the set with this number.
  case set(Int)
  case edge(PatternEdge)
  /// Continues at the first place, otherwise at the second.
  case split(Int, Int)
  case jump(Int)
  /// Notes where in the line this is.
  case note(Int)
  case match
}

/// A place between two bytes of a line.
enum PatternEdge: Hashable, Sendable {
  case start, end, word, noWord, wordStart, wordEnd
}

/// A set of bytes.
struct ByteSet: Hashable, Sendable {
  private var bits: SIMD4<UInt64> = .zero

  init() {}

  init(_ ranges: ClosedRange<UInt8>...) {
    for range in ranges { insert(range) }
  }

  static let digits = ByteSet(0x30...0x39)
  static let blanks = ByteSet(0x09...0x0D, 0x20...0x20)
  static let word = ByteSet(0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A)

  var inverted: ByteSet {
    var inverted = self
    inverted.bits = ~bits
    return inverted
  }

  func contains(_ byte: UInt8) -> Bool { bits[Int(byte >> 6)] >> UInt64(byte & 63) & 1 == 1 }

  mutating func insert(_ range: ClosedRange<UInt8>) {
    for byte in range { bits[Int(byte >> 6)] |= 1 << UInt64(byte & 63) }
  }

  mutating func formUnion(_ other: ByteSet) { bits |= other.bits }
}
