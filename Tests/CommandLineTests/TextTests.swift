import JobCore
import JobWire
import Testing

@testable import jobrun

/// Widths, amounts and times as a terminal and a person take them.
struct TextTests {
  @Test(arguments: [
    ("plain", 5), ("", 0), ("写真", 4), ("한국어", 6), ("ﾊﾝｶｸ", 4), ("Ａ", 2), ("é", 1),
    ("e\u{301}", 1), ("📷", 2), ("👩‍👩‍👧‍👦", 2), ("🇩🇪", 2), ("✈", 1), ("✈\u{FE0F}", 2), ("👍🏽", 2),
    ("\u{200B}", 0), ("━╸─", 3), ("⠋", 1), ("…", 1), ("กำ", 2),
  ])
  func `a text is as wide as terminals show it`(text: String, width: Int) {
    #expect(TextWidth.of(text) == width)
  }

  @Test func `what is cut never exceeds its columns, whatever is in it`() {
    let text = "写真 and 👩‍👩‍👧‍👦 and e\u{301} at /home/写真/img.jpg"
    for columns in 0...TextWidth.of(text) + 1 {
      #expect(TextWidth.of(TextWidth.start(of: text, fitting: columns)) <= columns)
      #expect(TextWidth.of(TextWidth.end(of: text, fitting: columns)) <= columns)
    }
    #expect(TextWidth.start(of: "写真写真", fitting: 6) == "写真…")
    #expect(TextWidth.end(of: "写真写真", fitting: 6) == "…写真")
    #expect(TextWidth.start(of: text, fitting: 500) == text)
  }

  @Test(arguments: [
    (0, 0, "0 B"), (999, 0, "999 B"), (1_200, 0, "1.2 kB"), (999_999, 0, "1.0 MB"),
    (1_200_000_000, 2_800_000_000, "1.2/2.8 GB"), (5, 2_800_000_000, "0.0/2.8 GB"),
    (UInt64.max, UInt64.max, "18.4/18.4 EB"),
  ])
  func `bytes are shown in the unit of their total`(done: UInt64, total: UInt64, text: String) {
    #expect(QuantityText.amount(done, of: total, .bytes) == text)
  }

  @Test(arguments: [
    (0, 0, ""), (0, 9, "  0 %"), (1, 10, " 10 %"), (999_999, 1_000_000, " 99 %"), (7, 7, "100 %"),
    (9, 7, "100 %"),
  ])
  func `nothing is called complete before it is`(done: UInt64, total: UInt64, text: String) {
    #expect(QuantityText.percent(done, of: total) == text)
  }

  @Test(arguments: [
    (0, "0:00"), (42, "0:42"), (725, "12:05"), (3723, "1:02:03"), (273_600, "3d 04h"),
  ])
  func `a span is shown as a clock`(seconds: UInt64, text: String) {
    #expect(QuantityText.clock(.seconds(seconds)) == text)
  }

  @Test(arguments: [
    (0.0, "0.0 s"), (14.24, "14.2 s"), (59.96, "1 min 0 s"), (125, "2 min 5 s"),
    (3720, "1 h 2 min"), (-1, "0.0 s"), (.nan, "0.0 s"), (.infinity, "0.0 s"),
  ])
  func `a length is shown as people say it`(seconds: Double, text: String) {
    #expect(QuantityText.length(seconds) == text)
  }

  @Test func `rates that mean nothing are not shown`() {
    #expect(QuantityText.rate(112_000_000, .bytes) == "112 MB/s")
    #expect(QuantityText.rate(12.4, .items) == "12/s")
    #expect(QuantityText.rate(0.05, .items) == "3/min")
    for nothing in [nil, 0, -4, Double.nan, .infinity] {
      #expect(QuantityText.rate(nothing, .items) == nil)
    }
  }

  @Test(arguments: [
    ("a\u{9B}1mb", "a1mb", "a\\u009b1mb"), ("a\u{202E}b\u{2069}", "ab", "a\\u202eb\\u2069"),
    ("a\u{61C}\u{200F}b", "ab", "a\\u061c\\u200fb"), ("a\tb\u{7F}", "a\tb", "a\\u0009b\\u007f"),
    ("häßlich … 写真 👍🏽", "häßlich … 写真 👍🏽", "häßlich … 写真 👍🏽"), ("\u{1B}[2J", "[2J", "\\u001b[2J"),
  ])
  func `a line and JSON hold nothing that steers`(_ text: String, _ line: String, _ json: String) {
    #expect(SafeText.line(text) == line)
    #expect(String(decoding: SafeText.json(Array(text.utf8)), as: UTF8.self) == json)
    #expect(!text.quoted.unicodeScalars.contains(where: SafeText.isControl))
    #expect(
      Line(text, .bad).rendered(colour: false).unicodeScalars.allSatisfy { !SafeText.isControl($0) }
    )
  }

  @Test func `what is no UTF-8 is replaced in JSON and in a log on a terminal`() {
    let bytes: [UInt8] = [0x22, 0xFF, 0x9B, 0x22, 0x0A]
    #expect(String(decoding: SafeText.json(bytes), as: UTF8.self) == "\"\u{FFFD}\u{FFFD}\"\n")
    var filter = LogFilter()
    let log: [UInt8] = [
      0x9B, 0x31, 0x6D, 0xC2, 0x9B, 0xE2, 0x80, 0xAE, 0xE2, 0x41, 0xC3, 0xA4, 0x0A,
    ]
    #expect(String(decoding: filter.filtered(log), as: UTF8.self) == "\u{FFFD}1m\u{FFFD}Aä\n")
  }

  @Test func `text of a job cannot steer the terminal`() {
    #expect(SafeText.shown("a\u{1B}[2Jb\u{7}\u{9B}1mc\nd\u{202E}e") == "a[2Jb1mc de")
  }
}

/// A job's output on a terminal.
struct LogFilterTests {
  private func shown(_ text: String, pieces: Int = 1) -> String {
    var filter = LogFilter()
    var bytes: [UInt8] = []
    let all = Array(text.utf8)
    for start in stride(from: 0, to: all.count, by: pieces) {
      bytes += filter.filtered(all[start..<min(start + pieces, all.count)])
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(arguments: [1, 2, 3, 100])
  func `colours and text pass, everything that steers does not`(pieces: Int) {
    let text =
      "\u{1B}[1;31mred\u{1B}[0m\tok\r\n写真 é\u{1B}]0;title\u{7}\u{1B}[2J\u{1B}[>4;2m\u{9B}2J"
      + "\u{1B}]8;;x\u{1B}\\link\u{8}\u{1B}c."
    #expect(shown(text, pieces: pieces) == "\u{1B}[1;31mred\u{1B}[0m\tok\r\n写真 é2Jlink.")
  }
}
