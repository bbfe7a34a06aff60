/// A parsed pattern, as a tree.
indirect enum PatternNode: Hashable, Sendable {
  case byte(UInt8)
  case any
  case set(ByteSet)
  case edge(PatternEdge)
  case group(Int, PatternNode)
  case sequence([PatternNode])
  case either([PatternNode])
  /// `most` nil: without end.
  case repeated(PatternNode, least: Int, most: Int?, isLazy: Bool)
}

/// Reads an extended regular expression (regex(7)).
struct PatternParser {
  typealias Problem = LinePattern.Problem

  private let bytes: [UInt8]
  private var place = 0
  private var nesting = 0
  private(set) var groupCount = 0
  private(set) var names: [String: Int] = [:]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func parse() throws(Problem) -> PatternNode {
    let tree = try alternatives()
    // Only an unmatched bracket ends the alternatives before the end of the text.
    guard place == bytes.count else { throw Problem("Unmatched )") }
    return tree
  }

  private mutating func alternatives() throws(Problem) -> PatternNode {
    var choices = [try sequence()]
    while accept("|") { choices.append(try sequence()) }
    return choices.count == 1 ? choices[0] : .either(choices)
  }

  private mutating func sequence() throws(Problem) -> PatternNode {
    var parts: [PatternNode] = []
    while let byte = peek, byte != UInt8(ascii: "|"), byte != UInt8(ascii: ")") {
      parts.append(try repetition(of: try atom()))
    }
    return parts.count == 1 ? parts[0] : .sequence(parts)
  }

  private mutating func atom() throws(Problem) -> PatternNode {
    let byte = next()
    switch byte {
    case UInt8(ascii: "("): return try group()
    case UInt8(ascii: "["):
      var reader = BracketReader(bytes, at: place)
      defer { place = reader.place }
      return .set(try reader.read())
    case UInt8(ascii: "."): return .any
    case UInt8(ascii: "^"): return .edge(.start)
    case UInt8(ascii: "$"): return .edge(.end)
    case UInt8(ascii: "\\"): return try escaped()
    case UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "?"):
      throw Problem("there is nothing before \"\(Unicode.Scalar(byte))\" to repeat")
    default: return .byte(byte)
    }
  }

  private mutating func group() throws(Problem) -> PatternNode {
    nesting += 1
    guard nesting <= LinePattern.maximumNesting else {
      throw Problem("its brackets are nested deeper than \(LinePattern.maximumNesting)")
    }
    var isNumbered = true
    if accept("?") { isNumbered = try name() }
    if isNumbered { groupCount += 1 }
    let number = groupCount
    let content = try alternatives()
    guard accept(")") else { throw Problem("Unmatched (") }
    nesting -= 1
    return isNumbered ? .group(number, content) : content
  }

  /// The beginning of a group after its question mark: `<name>` for the next group; false for `:`.
  private mutating func name() throws(Problem) -> Bool {
    if accept(":") { return false }
    let start = place + 1
    guard accept("<"), let end = bytes[place...].firstIndex(of: UInt8(ascii: ">")), end > start
    else {
      throw Problem("a group that begins with \"(?\" is written (?:…) or (?<name>…)")
    }
    let name = String(decoding: bytes[start..<end], as: UTF8.self)
    guard names.updateValue(groupCount, forKey: name) == nil else {
      throw Problem("two of its groups are called \(name)")
    }
    place = end + 1
    return true
  }

  private mutating func escaped() throws(Problem) -> PatternNode {
    guard peek != nil else { throw Problem("it ends with a backslash") }
    let byte = next()
    switch byte {
    case UInt8(ascii: "1")...UInt8(ascii: "9"):
      throw Problem(
        "\"\\\(Unicode.Scalar(byte))\" is a back-reference, which patterns do not support")
    case UInt8(ascii: "d"): return .set(.digits)
    case UInt8(ascii: "D"): return .set(ByteSet.digits.inverted)
    case UInt8(ascii: "s"): return .set(.blanks)
    case UInt8(ascii: "S"): return .set(ByteSet.blanks.inverted)
    case UInt8(ascii: "w"): return .set(.word)
    case UInt8(ascii: "W"): return .set(ByteSet.word.inverted)
    case UInt8(ascii: "b"): return .edge(.word)
    case UInt8(ascii: "B"): return .edge(.noWord)
    case UInt8(ascii: "<"): return .edge(.wordStart)
    case UInt8(ascii: ">"): return .edge(.wordEnd)
    default: return .byte(byte)
    }
  }

  private mutating func repetition(of node: PatternNode) throws(Problem) -> PatternNode {
    guard let (least, most) = try bounds() else { return node }
    let isLazy = accept("?")
    if try bounds() != nil {
      throw Problem("two repetitions follow each other; put brackets around the first")
    }
    return .repeated(node, least: least, most: most, isLazy: isLazy)
  }

  private mutating func bounds() throws(Problem) -> (Int, Int?)? {
    if accept("*") { return (0, nil) }
    if accept("+") { return (1, nil) }
    if accept("?") { return (0, 1) }
    return try interval()
  }

  /// `{n}`, `{n,}` or `{n,m}`; any other brace is literal.
  private mutating func interval() throws(Problem) -> (Int, Int?)? {
    let start = place
    guard accept("{"), let least = number() else {
      place = start
      return nil
    }
    let most: Int? = accept(",") ? number() : least
    guard accept("}") else {
      place = start
      return nil
    }
    guard max(least, most ?? 0) <= LinePattern.maximumRepetitions else {
      throw Problem("it repeats more than \(LinePattern.maximumRepetitions) times")
    }
    guard least <= most ?? least else {
      throw Problem(
        "the minimum of a repetition is above its maximum")
    }
    return (least, most)
  }

  /// Large numbers are clamped to one above the limit.
  private mutating func number() -> Int? {
    var value: Int?
    while let byte = peek, ByteSet.digits.contains(byte) {
      value = min((value ?? 0) * 10 + Int(byte - 0x30), 1_000_000)
      place += 1
    }
    return value
  }

  private var peek: UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func next() -> UInt8 {
    defer { place += 1 }
    return bytes[place]
  }

  private mutating func accept(_ scalar: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: scalar) else { return false }
    place += 1
    return true
  }
}
