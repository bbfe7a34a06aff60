/// Reads a bracket expression, such as `[^[:digit:]a-f]`, in bytes.
struct BracketReader {
  private typealias Problem = LinePattern.Problem

  private let bytes: [UInt8]
  /// The current position; at first after the opening bracket.
  private(set) var place: Int

  init(_ bytes: [UInt8], at place: Int) {
    self.bytes = bytes
    self.place = place
  }

  mutating func read() throws(LinePattern.Problem) -> ByteSet {
    var set = ByteSet()
    let isInverted = peek() == UInt8(ascii: "^")
    if isInverted { place += 1 }
    // A closing bracket that comes first means itself.
    repeat {
      if let named = try namedClass() {
        set.formUnion(named)
        continue
      }
      let first = try next()
      guard peek() == UInt8(ascii: "-"), let second = peek(1), second != UInt8(ascii: "]") else {
        set.insert(first...first)
        continue
      }
      place += 1
      let last = try next()
      guard first <= last else { throw Problem("a range in its brackets runs backwards") }
      set.insert(first...last)
    } while peek() != UInt8(ascii: "]")
    place += 1
    return isInverted ? set.inverted : set
  }

  /// `[:digit:]` and the like; nil when none begins here.
  private mutating func namedClass() throws(LinePattern.Problem) -> ByteSet? {
    guard peek() == UInt8(ascii: "["), let kind = peek(1),
      kind == UInt8(ascii: ":") || kind == UInt8(ascii: ".") || kind == UInt8(ascii: "=")
    else { return nil }
    let rest = bytes[(place + 2)...]
    guard kind == UInt8(ascii: ":"), let end = rest.firstIndex(of: kind),
      end + 1 < bytes.count, bytes[end + 1] == UInt8(ascii: "]"),
      let set = Self.classes[String(decoding: rest[..<end], as: UTF8.self)]
    else { throw Problem("its brackets name an unknown class; [[:digit:]] is a known one") }
    place = end + 2
    return set
  }

  private func peek(_ ahead: Int = 0) -> UInt8? {
    place + ahead < bytes.count ? bytes[place + ahead] : nil
  }

  private mutating func next() throws(LinePattern.Problem) -> UInt8 {
    guard let byte = peek() else { throw Problem("Unmatched [") }
    place += 1
    return byte
  }

  private static let classes: [String: ByteSet] = [
    "alnum": ByteSet(0x30...0x39, 0x41...0x5A, 0x61...0x7A),
    "alpha": ByteSet(0x41...0x5A, 0x61...0x7A), "blank": ByteSet(0x09...0x09, 0x20...0x20),
    "cntrl": ByteSet(0x00...0x1F, 0x7F...0x7F), "digit": .digits, "graph": ByteSet(0x21...0x7E),
    "lower": ByteSet(0x61...0x7A), "print": ByteSet(0x20...0x7E),
    "punct": ByteSet(0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E), "space": .blanks,
    "upper": ByteSet(0x41...0x5A), "xdigit": ByteSet(0x30...0x39, 0x41...0x46, 0x61...0x66),
  ]
}
