import Foundation
import JobCore
import JobRecognition
import Testing

/// Numbers that are shown only when it is certain what they are.
struct DoubtTests {
  private static func at(_ seconds: UInt64) -> Instant {
    Instant(nanoseconds: seconds * 1_000_000_000)
  }

  private static func counts(of pieces: [String]) -> [String] {
    var recogniser = OutputRecogniser()
    return pieces.enumerated().map { second, piece in
      recogniser.read(piece.utf8, at: at(UInt64(second)))
      return recogniser.finding.map { "\($0.counts)" } ?? ""
    }
  }

  private static func share(_ counts: ProgressCounts?) -> Double {
    counts.map { Double($0.completed) / Double(max(1, $0.total)) } ?? 0
  }

  @Test func `a piece of a line waits for the words that tell what its number is`() {
    let lines = (41...60).map { "\($0)/100 connections\n" }.joined()
    // Output that comes in blocks may end anywhere.
    for cut in 1..<lines.utf8.count {
      var recogniser = OutputRecogniser()
      recogniser.read(lines.utf8.prefix(cut), at: Self.at(1))
      #expect(recogniser.finding == nil, "cut after \(cut) bytes")
    }
  }

  @Test func `a piece of another line in the place of a bar is not its next state`() {
    let bar = (1...9).map { "\r 1\($0) %   " }
    let states = Self.counts(of: bar + ["\rimg.png 900 --> 800 bytes (69%", "), optimized.\n"])
    #expect(states.suffix(3) == Array(repeating: "1900/10000 share", count: 3))
  }

  @Test func `a bar that has no end of its line is read as far as it is written`() {
    let states = Self.counts(of: (1...9).map { "\rrow \($0)/40 done" })
    #expect(states.last == "9/40 items")
    let names = Self.counts(of: (1...9).map { "\rfile-\("abcdefghij".dropFirst($0)) \($0)/40" })
    #expect(names.last == "9/40 items")
  }

  @Test func `a bar of the taskbar that comes again is a phase`() {
    var recogniser = OutputRecogniser()
    for percent in [0, 50, 100, 0, 30] {
      recogniser.read("\u{1B}]9;4;1;\(percent)\u{7}".utf8, at: Self.at(1))
    }
    #expect(recogniser.finding?.counts == ProgressCounts(hundredths: 3000))
    #expect(recogniser.finding?.note == "phase 2")
    #expect(recogniser.finding?.isPart == true)
  }

  @Test func `counts beside epochs are those of the epoch, unless they go on over it`() {
    func line(_ step: Int) -> String { "{\"step\": \(step), \"total\": 100}\n" }
    let first = ["Epoch 1/4\n"] + (0...15).map(line)
    #expect(OutputRecogniser.finding(in: first.joined())?.note == "epoch 1")
    let inside = first + ["Epoch 2/4\n"] + (0...50).map(line)
    let finding = OutputRecogniser.finding(in: inside.joined())
    #expect(finding?.counts == ProgressCounts(hundredths: 3750))
    #expect(finding?.isPart == false)
    let over = ["Epoch 1/4\n"] + (0...25).map(line) + ["Epoch 2/4\n"] + (26...40).map(line)
    #expect(
      OutputRecogniser.finding(in: over.joined())?.counts
        == ProgressCounts(completed: 40, total: 100))
  }

  @Test func `the first step of several bars is no step of all`() {
    func bar(_ row: Int, _ done: Int) -> String {
      let up = row > 0 ? "\u{1B}[\(row)A" : ""
      return String(repeating: "\n", count: row)
        + "\rworker \(row): \(done * 4)%|#  | \(done)/25 [00:00<00:09, 3.20it/s]\(up)"
    }
    let output = (0...2).map { bar($0, 0) } + [bar(0, 1), bar(1, 0), bar(2, 0)]
    let finding = OutputRecogniser.finding(in: output.joined())
    #expect(finding?.counts == ProgressCounts(hundredths: 133))
  }

  @Test func `a bar that is drawn once more after its end takes no other's place`() {
    func bar(_ row: Int, _ done: Int, _ seconds: Int) -> String {
      let up = row > 0 ? "\u{1B}[\(row)A" : ""
      return String(repeating: "\n", count: row)
        + "\rworker \(row): \(done)%|#  | \(done)/100 [00:0\(seconds)<00:09, 3.20it/s]\(up)"
    }
    let output = [
      bar(0, 0, 0), bar(1, 0, 0), bar(2, 0, 0), bar(0, 50, 1), bar(1, 100, 1), bar(2, 20, 1),
      bar(0, 100, 2), bar(2, 40, 2),
    ]
    // Each as it is written, so that what has no end yet is read again with its end.
    #expect(Self.counts(of: output).last == "8000/10000 share")
  }

  @Test func `the end of a bar that was dropped makes no second bar of the next`() {
    func bar(_ done: Int) -> String {
      "\n\rloss 0.\(done): \(done)%|#  | \(done)/100 [00:0\(done / 25)<00:09, 3.20it/s]\u{1B}[A"
    }
    func outer(_ step: Int) -> String {
      "\rall: \(step * 25)%|#  | \(step)/4 [00:0\(step * 4)<00:09, 3.20it/s]"
    }
    var recogniser = OutputRecogniser()
    for piece in [outer(0)] + stride(from: 0, through: 80, by: 20).map(bar) {
      recogniser.read(piece.utf8, at: Self.at(1))
    }
    recogniser.skip()
    for piece in ["\n"] + stride(from: 20, through: 100, by: 20).map(bar) + [outer(2), bar(0)] {
      recogniser.read(piece.utf8, at: Self.at(2))
    }
    #expect(recogniser.finding?.counts == ProgressCounts(hundredths: 5000))
  }

  @Test(arguments: [
    ("loading %/41 rows\n", "Rendering scene %/274 records\n"),
    ("\rloading %/41 rows", "\rRendering %/274 rows"), ("\rcopying %%", "\r%/274 rows"),
    ("Left: -%\n", "Rendering %/274 rows\n"), ("loading %%\n", "Rendering %%\n"),
    ("\rall: 9%|# | %/41 [00:01<00:09, 3.20it/s]", "\r%/274 rows"),
  ])
  fileprivate func `what begins after a part that was dropped may be what comes next`(
    _ before: String, _ next: String
  ) {
    func line(_ form: String, _ number: Int) -> String {
      form.replacingOccurrences(of: "-%", with: "\(60 - number)")
        .replacingOccurrences(of: "%/", with: "\(number)/")
        .replacingOccurrences(of: "%%", with: "\(number)%")
    }
    var recogniser = OutputRecogniser()
    for number in 0...38 { recogniser.read(line(before, number).utf8, at: Self.at(1)) }
    let shown = recogniser.finding?.counts
    #expect(Self.share(shown) > 0.3)
    recogniser.skip()
    recogniser.read("handled request\n".utf8, at: Self.at(2))
    // A part that was dropped is no reason to doubt yet.
    #expect(recogniser.finding?.counts == shown)
    recogniser.read(line(next, 1).utf8, at: Self.at(2))
    #expect(recogniser.finding == nil)
    var again = recogniser
    again.read(line(before, 39).utf8, at: Self.at(3))
    #expect(Self.share(again.finding?.counts) > Self.share(shown))
    #expect(again.finding?.note == nil)
    for number in 2...20 { recogniser.read(line(next, number).utf8, at: Self.at(3)) }
    #expect(recogniser.finding?.note == "phase 2")
  }

  @Test func `what rests for long when it is nearly complete is over`() {
    var view = ExternalProgress(OutputRecogniser(), withFiles: true)
    for second in 0...33 {
      view.receive("\rread \(second * 3)%".utf8, at: Self.at(UInt64(second)))
    }
    let share = ProgressCounts(hundredths: 9900)
    view.rest(at: Self.at(36))
    #expect(view.finding?.counts == share)
    // A ninth of the time until then.
    view.rest(at: Self.at(37))
    #expect(view.finding?.counts.isComplete == true)
    view.receive("\rread 5%".utf8, at: Self.at(38))
    #expect(view.finding?.counts == ProgressCounts(hundredths: 500))
    #expect(view.finding?.note == "phase 2")
  }
}
