import JobWire
import TestKit
import Testing

@Suite struct JSONReaderTests {
  private func read(_ text: String) throws(JSONSyntaxError) -> JSONValue {
    try JSONReader.value(of: line(text))
  }

  @Test(arguments: [
    ("null", JSONValue.null), (" true ", .bool(true)), ("\tfalse\r\n", .bool(false)),
    ("0", .natural(0)), ("-0", .natural(0)), ("18446744073709551615", .natural(.max)),
    ("-9223372036854775808", .negative(.min)), ("18446744073709551616", .number(0x1p64)),
    ("1.5", .number(1.5)), ("-1e3", .number(-1000)), ("1E-2", .number(0.01)),
    (#""""#, .string("")), (#""a\"\\\/\b\f\n\r\t""#, .string("a\"\\/\u{8}\u{C}\n\r\t")),
    (#""\u00e9\ud83d\ude00x""#, .string("é😀x")), (#""é😀""#, .string("é😀")),
    (#""\ud83d""#, .string("\u{FFFD}")), (#""\ud83d\u0041""#, .string("\u{FFFD}A")),
    (#""\ude00""#, .string("\u{FFFD}")), ("[]", .array([])), ("[ ]", .array([])),
    ("{ }", .object([])),
    ("[1,[2]]", .array([.natural(1), .array([.natural(2)])])),
  ])
  func `what JSON allows is read`(text: String, value: JSONValue) throws {
    #expect(try read(text) == value)
  }

  @Test(arguments: [
    "", " ", "nul", "tru", "01", "-", "1.", ".5", "1e", "+1", "1e999", "0x10", "NaN", "'a'",
    "\"a", "\"\\", "\"\\x\"", "\"\\u12g4\"", "\"\\u12", "\"a\nb\"", "[1,]", "[1", "[1 2]", "[,1]",
    "{\"a\":1,}", "{\"a\"}", "{\"a\":}", "{a:1}", "{\"a\":1", "1 2", "// x\n1", "]", "}",
  ])
  func `what JSON forbids is refused`(text: String) {
    #expect(throws: JSONSyntaxError.self) { try read(text) }
  }

  @Test func `texts that are not UTF-8 are refused`() {
    for bytes in [[0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80]]
      as [[UInt8]]
    {
      #expect(throws: JSONSyntaxError.self) {
        try JSONReader.value(of: ([0x22] + bytes + [0x22])[...])
      }
    }
  }

  @Test func `nesting ends at the limit instead of the stack`() throws {
    let fits = String(repeating: "[", count: Limits.jsonDepth)
    _ = try read(fits + String(repeating: "]", count: Limits.jsonDepth))
    #expect(throws: JSONSyntaxError.self) { try read(String(repeating: "[", count: 60_000)) }
    #expect(throws: JSONSyntaxError.self) {
      try read(String(repeating: "{\"a\":", count: 10_000))
    }
  }

  @Test func `files for people may hold comments and trailing commas`() throws {
    let text = """
      \u{FEFF}// a bundle
      { /* of
           two lines */ "a": [1, 2,], // end
        "b": 3,
      }
      """
    guard case .object(let members) = try JSONReader.value(of: line(text), isForPeople: true) else {
      Issue.record("no object")
      return
    }
    #expect(members.map(\.name) == ["a", "b"])
    #expect(members.map(\.line) == [3, 4])
    #expect(members[0].value == .array([.natural(1), .natural(2)]))
  }

  @Test(arguments: [
    ("{\n\"a\": 1\n\"b\": 2}", 3, "has '\"' where ',' or '}' was expected"),
    ("{\n\n  name: 1}", 3, "has 'n' where a key in quotation marks was expected"),
    ("{\"a\": 1,\n \"a\": 2}", 2, "has the key \"a\" twice"),
    ("{\n\"a\": /* x\n", 2, "has a comment that is never closed with */"),
    ("{\"a\": 1", 1, "has its end where ',' or '}' was expected"),
    ("{\"a\": \"x\ny\"}", 1, "has a string with an unescaped control character (byte 10)"),
    ("{\"a\": 01}", 1, "has a number with a leading zero"),
    ("{\"a\": 1} x", 1, "has 'x' where the end of the text was expected"),
  ])
  func `a mistake is named with its line`(text: String, number: Int, message: String) {
    #expect(throws: JSONSyntaxError(line: number, message: message)) {
      try JSONReader.value(of: line(text), isForPeople: true)
    }
  }

  @Test func `random damage is refused or read, never a crash`() {
    let whole = Samples.full.json
    var random = SeededGenerator(seed: 11)
    for _ in 0..<3000 {
      var bytes = whole
      for _ in 0...Int.random(in: 0..<4, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[index] = .random(in: .min ... .max, using: &random)
        case 1: bytes.remove(at: index)
        default: bytes.removeSubrange(index...)
        }
        if bytes.isEmpty { break }
      }
      if let job = try? JobStatus(json: bytes[...]) {
        #expect((try? JobStatus(json: job.json[...])) != nil)
      }
    }
  }
}
