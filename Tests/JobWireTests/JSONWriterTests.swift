import JobWire
import TestKit
import Testing

@Suite struct JSONWriterTests {
  private func written(_ body: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    body(&writer)
    return text(writer.bytes)
  }

  @Test(
    arguments: [
      (0, "0"), (-0.0, "0"), (1, "1"), (0.1, "0.1"), (1 / 3.0, "0.333333"), (2 / 3.0, "0.666667"),
      (-1.5, "-1.5"), (0.0000004, "0"), (-0.0000004, "0"), (0.0000015, "0.000002"),
      (0.999_999_9, "1"), (123_456_789.000_001, "123456789.000001"), (1e300, "1e+300"),
      (.infinity, "null"), (-.infinity, "null"), (.nan, "null"),
    ] as [(Double, String)])
  func `numbers are short and never in a form that JSON lacks`(number: Double, expected: String) {
    #expect(written { $0.value(number) } == expected)
  }

  @Test func `whole numbers are exact to the last bit`() {
    #expect(written { $0.value(UInt64.max) } == "18446744073709551615")
    #expect(written { $0.value(Int64.min) } == "-9223372036854775808")
    #expect(written { $0.value(UInt64(10)) } == "10")
  }

  @Test func `every scalar comes back through the reader`() throws {
    var all = ""
    for value in [0...0xFF, 0x2020...0x2030, 0xD7FE...0xD7FF, 0xE000...0xE001, 0x1F600...0x1F602]
      as [ClosedRange<UInt32>]
    {
      for scalar in value.compactMap({ Unicode.Scalar($0) }) { all.unicodeScalars.append(scalar) }
    }
    let json = written { $0.value(all) }
    #expect(!json.utf8.contains { $0 < 0x20 || $0 == 0x7F })
    #expect(try JSONReader.value(of: line(json)) == .string(all))
  }

  @Test func `bytes that are not UTF-8 become text that is`() {
    let broken = String(decoding: [0x61, 0xFF, 0x62] as [UInt8], as: UTF8.self)
    #expect(written { $0.value(broken) } == "\"a\u{FFFD}b\"")
  }

  @Test func `commas stand between members and elements only`() {
    let json = written { writer in
      writer.beginObject()
      writer.field("a", [] as [String])
      writer.field("b", ["x", "y"])
      writer.key("c")
      writer.beginObject()
      writer.endObject()
      writer.field("d", nil as Int?)
      writer.key("e")
      writer.raw(Array("[1]".utf8))
      writer.field("f", false)
      writer.endObject()
      writer.newline()
      writer.null()
    }
    #expect(json == #"{"a":[],"b":["x","y"],"c":{},"d":null,"e":[1],"f":false}"# + "\nnull")
  }
}
