import Testing

@testable import jobrun

/// A terminal's input, also in pieces.
struct KeyDecoderTests {
  @Test(arguments: [
    ("y", [KeyDecoder.Element.key(UInt8(ascii: "y"))]),
    ("\u{1B}[A\u{1B}OB", [.move(.up), .move(.down)]),
    ("\u{1B}[5~\u{1B}[6~", [.move(.pageUp), .move(.pageDown)]),
    ("\u{1B}[H\u{1B}[4~\u{1B}OF", [.move(.first), .move(.last), .move(.last)]),
    ("\u{1B}[?2026;2$y", [.mode(2026, value: 2)]),
    ("j\u{1B}[?2026;0$yk", [.key(0x6A), .mode(2026, value: 0), .key(0x6B)]),
    ("\u{1B}[1;5A\u{1B}[15~\u{1B}[M", []),
    ("\u{1B}y", []),
    ("\u{1B}]11;rgb:y/n\u{7}d", [.key(0x64)]),
    ("\u{1B}P>|name y\u{1B}\\d", [.key(0x64)]),
  ])
  func `input is`(text: String, expected: [KeyDecoder.Element]) {
    var decoder = KeyDecoder()
    #expect(decoder.decode(Array(text.utf8)) == expected)
  }

  @Test func `an answer that comes byte by byte is never taken for keys`() {
    var decoder = KeyDecoder()
    let all = Array("\u{1B}[?2026;1$yy".utf8).flatMap { decoder.decode([$0]) }
    #expect(all == [.mode(2026, value: 1), .key(UInt8(ascii: "y"))])
  }

  @Test func `the Escape key eats no key that is typed after it`() {
    var decoder = KeyDecoder()
    #expect(decoder.decode([0x1B]) == [])
    #expect(decoder.decode([UInt8(ascii: "y")]) == [.key(UInt8(ascii: "y"))])
  }

  @Test func `the Escape key alone is known once nothing follows`() {
    var decoder = KeyDecoder()
    #expect(decoder.decode(Array("x".utf8)) == [.key(0x78)] && !decoder.endsInEscape)
    #expect(decoder.decode([0x1B]) == [] && decoder.endsInEscape)
    decoder.settleEscape()
    #expect(!decoder.endsInEscape)
    #expect(decoder.decode(Array("[".utf8)) == [.key(UInt8(ascii: "["))])
  }
}
