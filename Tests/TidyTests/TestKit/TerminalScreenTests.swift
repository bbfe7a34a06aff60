import TestKit
import Testing

struct TerminalScreenTests {
  @Test(arguments: [
    ("one\r\ntwo", ["one", "two"]),
    ("10 %\r99 %", ["99 %"]),
    ("long line\r\u{1B}[2Kshort", ["short"]),
    ("long line\rab\u{1B}[K", ["ab"]),
    ("first\r\nsecond\u{1B}[1A\rFIRST", ["FIRST", "second"]),
    ("a\r\nb\r\nc\u{1B}[2F\u{1B}[Jx", ["x"]),
    ("\u{1B}[1;32mgreen\u{1B}[0m\u{1B}[?2026h", ["green"]),
    ("\u{1B}]9;4;1;50\u{7}bar\u{1B}]0;title\u{1B}\\s", ["bars"]),
    ("0123456789abc", ["0123456789", "abc"]),
    ("ab\u{8}c", ["ac"]),
  ])
  func `what is written looks as on a terminal`(text: String, lines: [String]) {
    var screen = TerminalScreen(columns: 10)
    screen.write(text)
    #expect(screen.lines == lines)
  }

  @Test func `a wide character has two columns, and what stands behind it is overwritten there`() {
    var screen = TerminalScreen(columns: 10)
    screen.write("写真 0:04s\u{1B}[10Gx\u{1B}[6G1")
    #expect(screen.lines == ["写真 1:04x"])
    screen.write("\r\n12345678写真")
    #expect(screen.lines.dropFirst() == ["12345678写", "真"])
  }
}
