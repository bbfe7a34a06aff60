import JobCore
import JobRecognition
import JobWire
import Testing

@Suite struct OutputRecogniserTests {
  @Test(arguments: [
    "100% coverage\n",
    "disk 93% full\ndisk 93% full\ndisk 93% full\n",
    "cpu 12%\ncpu 80%\ncpu 33%\ncpu 95%\ncpu 41%\n",
    "a.swift 10%\nb.swift 50%\nc.swift 90%\n",
    "released on 2026/11/21\nreleased on 2026/11/22\nreleased on 2026/11/23\n",
    "1/2 cup of sugar\n2/2 cups\n",
    "GET /a/1/3 200\nGET /a/2/3 200\nGET /a/3/3 200\n",
    "version 1.2-3%4\n", "x86% x87% x88%\n", "", "\r\r\r\u{1B}[", "[/]\n[1/0]\n[7/3]\n",
  ])
  func `numbers that are no progress are left alone`(_ text: String) {
    #expect(OutputRecogniser.finding(in: text) == nil)
  }

  @Test(arguments: [
    ("work: 10%\nwork: 20%\nwork: 30%\n", "3000/10000 share", "percentage"),
    ("\r 1.5% \r10.25%\r11%\r12.75%", "1275/10000 share", "percentage"),
    (
      "Receiving objects:  1% (1/100)\rReceiving objects:  2% (2/100)\rReceiving objects:  3% (3/100)",
      "3/100 items", "git"
    ),
    ("file a (3/40)\nfile b (4/40)\nfile c (5/40)\n", "", ""),
    ("copied (3/40)\ncopied (4/40)\ncopied (5/40)\n", "5/40 items", "count"),
    ("step 3 of 9\nstep 4 of 9\nstep 5 of 9\n", "4/9 items", "step"),
  ])
  func `a number that is repeated and grows is progress`(
    _ text: String, _ counts: String, _ recogniser: String
  ) {
    let finding = OutputRecogniser.finding(in: text)
    #expect((finding.map { "\($0.counts)" } ?? "") == counts)
    #expect((finding?.recogniser ?? "") == recogniser)
  }

  @Test
  func `the lowest row of a block keeps its place, whether a newline or the cursor leads there`() {
    let first = "a 0/60\r\na 0/120"
    let both = (1...20).map { "\u{1B}[1G\u{1B}[Aa \($0 * 3)/60\r\na \($0 * 3)/120" }
    // The first bar is over, and only the second is drawn again.
    let rest = (21...22).map { "\u{1B}[1Ga \($0 * 3)/120" }
    let finding = OutputRecogniser.finding(in: ([first] + both + rest).joined())
    #expect(finding?.counts == ProgressCounts(completed: 66, total: 120))
  }

  @Test func `escape sequences, torn characters and wild bytes do not hide a count`() {
    var recogniser = OutputRecogniser()
    recogniser.read(
      Array("\u{1B}[1;32m".utf8) + [0xFF, 0xC3, 0x0A] + Array("\u{1B}[K[ 3/9]\u{1B}[0m ok".utf8),
      at: Instant(nanoseconds: 0))
    #expect(recogniser.finding?.counts == ProgressCounts(completed: 3, total: 9))
  }

  @Test func `the taskbar comes before what else is written, until it is taken away`() {
    var recogniser = OutputRecogniser()
    let now = Instant(nanoseconds: 0)
    recogniser.read("\u{1B}]9;4;1;30\u{1B}\\[1/9] a\n".utf8, at: now)
    #expect(recogniser.finding?.source == .osc)
    #expect(recogniser.finding?.counts == ProgressCounts(hundredths: 3000))
    recogniser.read("\u{1B}]9;4;0\u{7}[2/9] b\n".utf8, at: now)
    #expect(recogniser.finding?.source == .output)
    #expect(recogniser.finding?.counts == ProgressCounts(completed: 2, total: 9))
  }

  @Test func `the first recogniser stays while it speaks, and makes room when it is silent`() {
    var recogniser = OutputRecogniser()
    recogniser.read("[1/9] a\n".utf8, at: Instant(nanoseconds: 0))
    let tar = " 3/14 Test  #3: t3 ...   Passed    0.05 sec\n".utf8
    recogniser.read(tar, at: Instant(nanoseconds: 1_000_000_000))
    #expect(recogniser.finding?.recogniser == "[n/m]")
    recogniser.read(tar, at: Instant(nanoseconds: 11_000_000_000))
    #expect(recogniser.finding?.recogniser == "ctest")
  }

  @Test func `one program after the other is followed as soon as the first is done`() {
    var recogniser = OutputRecogniser()
    recogniser.read("[9/9] a\n 3/14 Test  #3: t3 ... Passed\n".utf8, at: Instant(nanoseconds: 0))
    #expect(recogniser.finding?.counts == ProgressCounts(completed: 3, total: 14))
  }

  @Test func `another attempt begins anew, and is no second round`() {
    var recogniser = OutputRecogniser()
    let now = Instant(nanoseconds: 0)
    recogniser.read("[9/9] a\njobrun: attempt 2 begins, 2026-03-01T12:34:56.789Z\n".utf8, at: now)
    #expect(recogniser.finding == nil)
    recogniser.read("[1/9] a\n".utf8, at: now)
    #expect(recogniser.finding?.counts == ProgressCounts(completed: 1, total: 9))
    #expect(recogniser.finding?.note == nil)
  }

  @Test func `a guess makes room for a program that is known`() {
    var recogniser = OutputRecogniser()
    recogniser.read("at 1%\nat 2%\nat 3%\n[1/9] a\n".utf8, at: Instant(nanoseconds: 0))
    #expect(recogniser.finding?.recogniser == "[n/m]")
  }

  @Test func `of a block that is drawn again the first line is followed from its first drawing on`()
  {
    var recogniser = OutputRecogniser()
    for (second, done) in [2, 3, 4].enumerated() {
      let up = second == 0 ? "" : "\u{1B}[2K\u{1B}[1A\u{1B}[2K\u{1B}[1A"
      let text =
        "\(up)\u{1B}[1GSent: \(done) MB / 11 MB, \(done * 9)%\r\nSent: 0 / 6, 0%\r\n * one: \(done * 20)% / 2 MB"
      recogniser.read(text.utf8, at: Instant(nanoseconds: UInt64(second) * 1_000_000_000))
    }
    #expect(
      recogniser.finding?.counts
        == ProgressCounts(completed: 4_000_000, total: 11_000_000, unit: .bytes))
    #expect(recogniser.finding?.note == nil)
  }

  @Test func `a line whose start was left out is not read`() {
    var recogniser = OutputRecogniser()
    recogniser.skip()
    recogniser.read("2/9] a\n[3/9] b\n".utf8, at: Instant(nanoseconds: 0))
    #expect(recogniser.finding?.counts == ProgressCounts(completed: 3, total: 9))
    recogniser.skip()
    recogniser.read("[8/9] not the start\r".utf8, at: Instant(nanoseconds: 0))
    #expect(recogniser.finding?.counts == ProgressCounts(completed: 3, total: 9))
  }

  @Test func `a pattern of one group is a percentage and of two a count`() throws {
    var percent = OutputRecogniser(only: GivenPattern(try LinePattern("at ([0-9.]+)")))
    percent.read("at 42.5\n".utf8, at: Instant(nanoseconds: 0))
    #expect(percent.finding?.counts == ProgressCounts(hundredths: 4250))
    #expect(percent.finding?.recogniser == "/at ([0-9.]+)/")
    var count = OutputRecogniser(
      only: GivenPattern(try LinePattern("([0-9,]+) of ([0-9]+k)")))
    count.read("1,200 of 2k\n".utf8, at: Instant(nanoseconds: 0))
    #expect(count.finding?.counts == ProgressCounts(completed: 1200, total: 2000))
  }

  @Test(arguments: ["", "x", "140", ",", "1,0", "99999999999999999999,1"])
  func `groups that are no numbers are no progress`(_ line: String) throws {
    let pattern = line.contains(",") ? "^(.*),(.*)$" : "^(.*)$"
    var recogniser = OutputRecogniser(only: GivenPattern(try LinePattern(pattern)))
    recogniser.read("\(line)\n".utf8, at: Instant(nanoseconds: 0))
    #expect(recogniser.finding == nil)
  }

  @Test func `a line that costs a pattern too much is given up, and later ones are read`() throws {
    let pattern = try LinePattern("(x?){150}(x{0,100})y|^at ([0-9]+)$")
    var given = GivenPattern(pattern)
    let dear = OutputLine(String(repeating: "x", count: 2000))
    for _ in 0..<5 { #expect(given.read(dear) == nil) }
    let cheap = GivenPattern(try LinePattern("x+|^at ([0-9]+)$"))
    var recogniser = OutputRecogniser(only: cheap)
    recogniser.read("at 42\n".utf8, at: Instant(nanoseconds: 0))
    #expect(recogniser.finding?.counts == ProgressCounts(hundredths: 4200))
  }

  @Test func `random bytes are never trouble`() {
    var generator = SystemRandomNumberGenerator()
    let alphabet =
      Array("0123456789%/[]()|. ,:kMGB\r\n\u{1B};9=#<>of".utf8) + [0xE2, 0x94, 0x81, 7]
    for _ in 0..<200 {
      var recogniser = OutputRecogniser()
      let bytes = (0..<500).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
      recogniser.read(bytes, at: Instant(nanoseconds: 0))
      guard let counts = recogniser.finding?.counts, counts.total > 0 else { continue }
      #expect(counts.completed <= counts.total, "\(String(decoding: bytes, as: UTF8.self))")
    }
  }
}
