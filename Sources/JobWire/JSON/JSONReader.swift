/// Reads JSON (RFC 8259) from untrusted bytes.
///
/// Written by hand for three features that a decoder of types lacks: the line of each key for error messages
/// about manifests, unknown keys, and no copy of the text.
package struct JSONReader {
  let bytes: ArraySlice<UInt8>
  var index: Int
  var line = 1
  /// Comments and trailing commas are allowed and duplicate keys are refused: for files that people
  /// write (the part of JSON5 that a manifest may use).
  let isForPeople: Bool
  private var depth = 0

  private init(_ bytes: ArraySlice<UInt8>, isForPeople: Bool) {
    self.bytes = bytes
    self.index = bytes.startIndex
    self.isForPeople = isForPeople
  }

  /// The one value that `bytes` hold.
  ///
  /// `isForPeople`: also allows comments and trailing commas, and refuses duplicate keys.
  package static func value(
    of bytes: ArraySlice<UInt8>, isForPeople: Bool = false
  ) throws(JSONSyntaxError) -> JSONValue {
    var reader = JSONReader(bytes, isForPeople: isForPeople)
    if isForPeople, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.index += 3 }
    try reader.skipBlank()
    let value = try reader.value()
    try reader.skipBlank()
    guard reader.byte == nil else {
      throw reader.unexpected("the end of the text")
    }
    return value
  }

  /// The next byte; nil at the end.
  @inline(__always)
  var byte: UInt8? { index < bytes.endIndex ? bytes[index] : nil }

  private mutating func value() throws(JSONSyntaxError) -> JSONValue {
    guard let byte else { throw unexpected("a value") }
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return try container(byte)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: throw unexpected("a value")
    }
  }

  private mutating func container(_ bracket: UInt8) throws(JSONSyntaxError) -> JSONValue {
    guard depth < Limits.jsonDepth else {
      throw JSONSyntaxError(line: line, message: "nests deeper than \(Limits.jsonDepth) levels")
    }
    depth += 1
    defer { depth -= 1 }
    index += 1
    try skipBlank()
    return try bracket == UInt8(ascii: "{") ? object() : array()
  }

  private mutating func object() throws(JSONSyntaxError) -> JSONValue {
    var members: [JSONMember] = []
    var names: Set<String> = []
    while byte != UInt8(ascii: "}") {
      let line = self.line
      guard byte == UInt8(ascii: "\"") else { throw unexpected("a key in quotation marks") }
      let name = try string()
      if isForPeople, isRepeated(name, among: members, &names) {
        throw JSONSyntaxError(line: line, message: "has the key \"\(name)\" twice")
      }
      try skipBlank()
      try expect(UInt8(ascii: ":"), "':' after the key \"\(name)\"")
      try skipBlank()
      members.append(JSONMember(name: name, line: line, value: try value()))
      guard try separator(before: UInt8(ascii: "}")) else { break }
    }
    index += 1
    return .object(members)
  }

  /// Few members are searched linearly: the first set of a process costs as much as reading a whole manifest.
  private func isRepeated(
    _ name: String, among members: [JSONMember], _ names: inout Set<String>
  ) -> Bool {
    if members.count < 32 { return members.contains { $0.name == name } }
    if names.isEmpty { names = Set(members.map { $0.name }) }
    return !names.insert(name).inserted
  }

  private mutating func array() throws(JSONSyntaxError) -> JSONValue {
    var elements: [JSONValue] = []
    while byte != UInt8(ascii: "]") {
      elements.append(try value())
      guard try separator(before: UInt8(ascii: "]")) else { break }
    }
    index += 1
    return .array(elements)
  }

  /// Takes the comma after an element; false when `end` comes instead, which is left.
  private mutating func separator(before end: UInt8) throws(JSONSyntaxError) -> Bool {
    try skipBlank()
    if byte == end { return false }
    try expect(UInt8(ascii: ","), "',' or '\(Character(Unicode.Scalar(end)))'")
    try skipBlank()
    if byte == end, !isForPeople { throw unexpected("an element after ','") }
    return true
  }

  private mutating func expect(_ wanted: UInt8, _ name: @autoclosure () -> String)
    throws(JSONSyntaxError)
  {
    guard byte == wanted else { throw unexpected(name()) }
    index += 1
  }

  private mutating func word(_ word: String, _ value: JSONValue) throws(JSONSyntaxError)
    -> JSONValue
  {
    guard bytes[index...].starts(with: word.utf8) else { throw unexpected("a value") }
    index += word.utf8.count
    return value
  }

  /// The error for another token in place of `wanted`.
  func unexpected(_ wanted: String) -> JSONSyntaxError {
    JSONSyntaxError(line: line, message: "has \(found) where \(wanted) was expected")
  }

  private var found: String {
    guard let byte else { return "its end" }
    return (0x21...0x7E).contains(byte)
      ? "'\(Character(Unicode.Scalar(byte)))'" : "the byte \(byte)"
  }
}
