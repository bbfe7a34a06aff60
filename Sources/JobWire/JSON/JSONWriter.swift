package import JobCore

/// Writes JSON into a byte buffer, member by member, without a tree in between.
///
/// The feed encodes every event for every reader with it: a general encoder costs fifty times more.
package struct JSONWriter {
  /// What was written so far, after what was there before.
  package private(set) var bytes: [UInt8]
  private var needsComma = false
  /// Options with their usual values are not written: a queue of a hundred thousand jobs stays small.
  package var leavesOutUsual = false
  /// Of jobs only what a table shows is written.
  package var isBrief = false

  package init() {
    bytes = []
  }

  /// Continues after what `buffer` holds; it is empty until `finish(into:)` gives it back, so that
  /// a large buffer is reused without a copy.
  package init(taking buffer: inout [UInt8]) {
    bytes = []
    swap(&bytes, &buffer)
  }

  package consuming func finish(into buffer: inout [UInt8]) {
    swap(&bytes, &buffer)
  }

  package mutating func beginObject() { open(UInt8(ascii: "{")) }
  package mutating func endObject() { close(UInt8(ascii: "}")) }
  package mutating func beginArray() { open(UInt8(ascii: "[")) }
  package mutating func endArray() { close(UInt8(ascii: "]")) }

  /// Ends the line; a new value may follow.
  package mutating func newline() {
    bytes.append(UInt8(ascii: "\n"))
    needsComma = false
  }

  /// The name of the member whose value is written next; plain ASCII that needs no escape.
  package mutating func key(_ name: StaticString) {
    comma()
    bytes.append(UInt8(ascii: "\""))
    name.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  package mutating func null() { word("null") }
  package mutating func value(_ flag: Bool) { word(flag ? "true" : "false") }

  /// A value that is JSON already.
  package mutating func raw(_ json: some Sequence<UInt8>) {
    comma()
    bytes.append(contentsOf: json)
    needsComma = true
  }

  package mutating func value(_ text: String) {
    comma()
    bytes.append(UInt8(ascii: "\""))
    appendEscaped(text)
    bytes.append(UInt8(ascii: "\""))
    needsComma = true
  }

  package mutating func value(_ number: UInt64) {
    comma()
    bytes.appendDecimal(number)
    needsComma = true
  }

  package mutating func value(_ number: Int64) {
    comma()
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    bytes.appendDecimal(number.magnitude)
    needsComma = true
  }

  /// At most six decimals; null for what is no number.
  package mutating func value(_ number: Double) {
    guard number.isFinite else { return null() }
    guard number.magnitude < 9e12 else { return raw("\(number)".utf8) }
    comma()
    let millionths = UInt64((number.magnitude * 1_000_000).rounded())
    if number < 0, millionths > 0 { bytes.append(UInt8(ascii: "-")) }
    bytes.appendDecimal(millionths / 1_000_000)
    bytes.appendDecimals(millionths: millionths % 1_000_000)
    needsComma = true
  }

  package mutating func value<Value: FieldValue>(_ value: Value) { value.write(to: &self) }

  package mutating func value(_ time: WallTime) {
    comma()
    bytes.append(UInt8(ascii: "\""))
    time.append(to: &bytes)
    bytes.append(UInt8(ascii: "\""))
    needsComma = true
  }

  private mutating func word(_ word: StaticString) {
    comma()
    word.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
    needsComma = true
  }

  private mutating func open(_ bracket: UInt8) {
    comma()
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func close(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  private mutating func comma() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }

  /// Escapes what JSON demands and DEL, which terminals act on; nearly every text has neither.
  private mutating func appendEscaped(_ text: String) {
    var text = text
    text.withUTF8 { utf8 in
      guard unsafe utf8.contains(where: { JSONWriter.needsEscape($0) }) else {
        return unsafe bytes.append(contentsOf: utf8)
      }
      for index in utf8.indices {
        let byte = unsafe utf8[index]
        if JSONWriter.needsEscape(byte) { appendEscape(byte) } else { bytes.append(byte) }
      }
    }
  }

  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F
  }

  private mutating func appendEscape(_ byte: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    default:
      bytes.append(contentsOf: "u00".utf8)
      for digit in [byte >> 4, byte & 0xF] {
        bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      }
    }
  }
}
