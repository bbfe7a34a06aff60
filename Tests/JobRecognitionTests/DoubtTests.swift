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

  @Test func `an outer bar outlives two ends of its inner one that were dropped`() {
    func bar(_ done: Int, of total: Int, _ words: String, _ time: Int) -> String {
      "\r\(words): \(done * 100 / total)%|#  | \(done)/\(total) [00:0\(time)<00:09, 3.20it/s]"
    }
    func inner(_ done: Int) -> String {
      "\n" + bar(done, of: 100, "loss 0.\(done)", done / 25) + "\u{1B}[A"
    }
    var recogniser = OutputRecogniser()
    recogniser.read(bar(0, of: 4, "all", 0).utf8, at: Self.at(1))
    for step in 0...2 {
      if step > 0 { recogniser.skip() }
      for done in stride(from: 20, through: 80, by: 20) {
        recogniser.read(inner(done).utf8, at: Self.at(2))
        let share = Self.share(recogniser.finding?.counts)
        #expect(abs(share - (Double(step) + Double(done) / 100) / 4) < 0.001, "\(step): \(share)")
        #expect(recogniser.finding?.note == nil)
      }
    }
    recogniser.read((inner(100) + bar(3, of: 4, "all", 9)).utf8, at: Self.at(3))
    #expect(recogniser.finding?.counts == ProgressCounts(hundredths: 7500))
  }

  @Test func `a bar of an earlier phase that begins again after a dropped part is the next one`() {
    var recogniser = OutputRecogniser()
    for percent in stride(from: 0, through: 100, by: 10) {
      recogniser.read("progress: \(percent)%\n".utf8, at: Self.at(1))
    }
    for percent in 0...38 { recogniser.read(" \(percent)%\n".utf8, at: Self.at(2)) }
    #expect(recogniser.finding?.note == "phase 2")
    recogniser.skip()
    recogniser.read("handled request\nprogress: 0%\n".utf8, at: Self.at(3))
    #expect(recogniser.finding == nil)
    for percent in 1...5 { recogniser.read("progress: \(percent)%\n".utf8, at: Self.at(4)) }
    #expect(recogniser.finding?.counts == ProgressCounts(hundredths: 500))
    #expect(recogniser.finding?.note == "phase 3")
  }

  @Test(arguments: [
    ("loading %/41 rows\n", "Rendering scene %/274 records\n"),
    ("\rloading %/41 rows", "\rRendering %/274 rows"), ("\rcopying %%", "\r%/274 rows"),
    ("{\"step\":%,\"total\":41}\n", "{\"step\":%,\"total\":274}\n"),
    ("Left: -%\n", "Rendering %/274 rows\n"), ("loading %%\n", "Rendering %%\n"),
    ("\rall: 9%|# | %/41 [00:01<00:09, 3.20it/s]", "\r%/274 rows"),
  ])
  fileprivate func `what begins after a part that was dropped may be what comes next`(
    _ before: String, _ next: String
  ) {
    func line(_ form: String, _ number: Int) -> String {
      form.replacingOccurrences(of: "-%", with: "\(60 - number)")
        .replacingOccurrences(of: "%/", with: "\(number)/")
        .replacingOccurrences(of: ":%,", with: ":\(number),")
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

  @Test func `a part that was dropped has no bar of its own in what follows`() {
    func bar(_ row: Int, _ words: String, _ done: Int, of total: Int, _ time: Int) -> String {
      String(repeating: "\n", count: row)
        + "\r\(words): \(done * 100 / total)%|#  | \(done)/\(total) "
        + "[00:0\(time)<00:09, 3.20it/s]"
        + (row > 0 ? "\u{1B}[\(row)A" : "")
    }
    var alone = OutputRecogniser()
    alone.read(bar(0, "load", 158, of: 161, 5).utf8, at: Self.at(1))
    alone.skip()
    alone.read(("\n" + bar(0, "work", 2, of: 69, 0)).utf8, at: Self.at(2))
    #expect(alone.finding?.counts == ProgressCounts(completed: 2, total: 69))
    #expect(alone.finding?.note == "phase 2")
    // Two that had not advanced are the same two afterwards.
    var both = OutputRecogniser()
    for row in 0...1 { both.read(bar(row, "worker \(row)", 0, of: 40, 0).utf8, at: Self.at(1)) }
    both.skip()
    for done in [0, 10] {
      let first = "\n" + bar(0, "worker 0", done * 2, of: 40, 0)
      both.read((first + bar(1, "worker 1", done, of: 40, 0)).utf8, at: Self.at(2))
    }
    #expect(both.finding?.counts == ProgressCounts(hundredths: 3750))
    // The end of the first step was dropped, and that of the second was not.
    var steps = OutputRecogniser()
    steps.read((bar(0, "all", 0, of: 4, 0) + bar(1, "a", 9, of: 10, 1)).utf8, at: Self.at(1))
    steps.skip()
    for done in [2, 6, 10] { steps.read(bar(1, "b", done, of: 10, done / 2).utf8, at: Self.at(2)) }
    let share = Self.share(steps.finding?.counts)
    #expect(share <= 0.5, "\(share)")
  }

  @Test(arguments: [["loss a", "loss b"], ["left", "right"], ["", ""]])
  fileprivate func `an inner bar is not taken for the outer one of the same total`(
    _ words: [String]
  ) {
    func bar(_ words: String, _ done: Int, _ time: Int) -> String {
      "\r\(words)\(done * 20)%|#  | \(done)/5 [00:0\(time)<00:09, 3.20it/s]"
    }
    func inner(_ done: Int) -> String {
      "\n" + bar("\(words[done % 2]) 0.\(9 - done): ", done, done / 3) + "\u{1B}[A"
    }
    var recogniser = OutputRecogniser()
    recogniser.read((bar("all: ", 0, 0) + inner(0)).utf8, at: Self.at(1))
    recogniser.skip()
    for done in 1...5 {
      // A line between moves both down, wherever they are.
      recogniser.read(("\rhandled request\n" + inner(done)).utf8, at: Self.at(2))
      let share = Self.share(recogniser.finding?.counts)
      #expect(share > 0 && share <= Double(done) / 25, "\(done): \(share)")
    }
    for piece in [bar("all: ", 1, 1), inner(0), inner(1)] {
      recogniser.read(piece.utf8, at: Self.at(3))
    }
    #expect(recogniser.finding?.counts == ProgressCounts(hundredths: 2400))
    #expect(recogniser.finding?.note == nil)
  }

  @Test func `a guess that is replaced takes only its own phases back`() {
    var recogniser = OutputRecogniser()
    for step in 0...20 { recogniser.read("working (\(step)/20 rows)\n".utf8, at: Self.at(1)) }
    recogniser.skip()
    for step in [0, 0, 1, 2, 3, 4] {
      recogniser.read("loading (\(step)/63, \(step * 100 / 63)%)\n".utf8, at: Self.at(2))
      if recogniser.finding?.counts.isComplete == false {
        #expect(recogniser.finding?.note == "phase 2")
      }
    }
    #expect(recogniser.finding?.counts == ProgressCounts(completed: 4, total: 63))
  }

  @Test func `a percentage behind the name of one input is that of this input`() {
    var recogniser = OutputRecogniser(command: ["arj", "a", "out.arj", "in/words1", "in/words2"])
    let percents = (0...30).map { String(repeating: "\u{8}", count: 5) + "  \($0 + 10)%" }
    recogniser.read(("Adding    in/words1       " + percents.joined()).utf8, at: Self.at(1))
    #expect(recogniser.finding?.counts == ProgressCounts(hundredths: 4000))
    #expect(recogniser.finding?.note == "words1")
  }

  @Test func `a stage that a line before its bar names is not the whole`() {
    let bar = (0...40).map { "\r\($0)% " }.joined()
    let first = "Pass 1: Studying...\n\n" + bar
    #expect(OutputRecogniser.finding(in: first)?.note == "pass 1")
    let second = first + "\nPass 2: Processing...\n" + bar
    #expect(OutputRecogniser.finding(in: second)?.note == "pass 2")
    #expect(OutputRecogniser.finding(in: second)?.isPart == true)
    // A bar around the stages is not one of them.
    let around = bar + "\nPass 1: found 12 rows\n" + "\r41% \r42% "
    #expect(OutputRecogniser.finding(in: around)?.note == nil)
  }

  @Test func `a repetition alone on its line is that of what follows`() {
    func fits(_ count: Int) -> String {
      "Fitting 3 folds, totalling 54 fits\n"
        + String(repeating: "[CV] END depth=2; total time=   0.2s\n", count: count)
    }
    let first = OutputRecogniser.finding(in: "----\niter: 0\n" + fits(20))
    #expect(first?.note == "iter 0")
    let second = OutputRecogniser.finding(in: "iter: 0\n" + fits(54) + "iter: 1\n" + fits(20))
    #expect(second?.note == "iter 1")
    // A share behind such a word is no number of it.
    let files = (0...30).map { "\rFile:   \($0)%" }.joined()
    #expect(OutputRecogniser.finding(in: files)?.note == nil)
  }

  @Test func `a bar that ends early is left for one below it`() {
    var recogniser = OutputRecogniser()
    func read(_ text: String, at second: UInt64) { recogniser.read(text.utf8, at: Self.at(second)) }
    for step in 0...50 { read("\rSegments: \(step * 2)/129", at: UInt64(step) / 5) }
    read("\nAC = 134\nSeconds: 1.5\n\n=== D ===\n\n", at: 11)
    for percent in 1...9 { read("\rStatus: \(percent)%", at: 11 + UInt64(percent)) }
    #expect(recogniser.finding?.counts == ProgressCounts(hundredths: 900))
    #expect(recogniser.finding?.note == "phase 2")
  }

  @Test func `a share of a value with a name is a measure`() {
    let line = (1...60).map { "\rZ=-14.\($0)(\($0)%) N=100 " }.joined()
    #expect(OutputRecogniser.finding(in: line) == nil)
  }

  @Test(arguments: [
    (0...40).map { "\rCurrent Frame: \($0 * 5), percentage:         \($0)" }.joined(),
    "0% " + (1...4).map { " ... \($0)0% " }.joined(),
    (0...40).map { "\rStream 1/1: \($0).00% |##  | \($0).0/100 [00:0\($0 / 5)<00:10,  4.41it/s]" }
      .joined(),
  ])
  fileprivate func `other ways to write a percentage are read`(_ text: String) {
    let finding = OutputRecogniser.finding(in: text)
    #expect(abs(Self.share(finding?.counts) - 0.4) < 0.001)
    #expect(finding?.note == nil)
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
