import Foundation
import JobCore
import JobRecognition
import Testing

/// Bars inside counters, bars that begin again, and numbers that are no progress.
struct OuterCounterTests {
  private static func finding(_ lines: [String]) -> Finding? {
    OutputRecogniser.finding(in: lines.joined(separator: "\n") + "\n")
  }

  @Test(arguments: [
    // An inner bar is a share of one repetition.
    ("pass 2/4\nat 10%\nat 20%\nat 50%", "3750/10000 share", "pass, percentage"),
    ("Epoch 3/5\n 1/100 - loss\n 2/100 - loss\n 50/100 - loss", "5000/10000 share", "epoch, count"),
    ("file 1/2 10%\nfile 1/2 20%\nfile 1/2 30%", "1500/10000 share", "file, percentage"),
    ("epoch 2/4 step 5/10", "", ""),
    ("epoch 2/4 step 5/10\nepoch 2/4 step 6/10", "3750/10000 share", "epoch, step"),
    // Alone: a heading begins a step, results end it.
    ("Step 1/9 : FROM a\nStep 2/9 : RUN b\nStep 3/9 : RUN c", "2/9 items", "step"),
    ("epoch 1/10 val_acc 62.9%\nepoch 2/10 val_acc 70.9%", "2/10 items", "epoch"),
    ("frame 7 of 250\nframe 8 of 250", "7/250 items", "frame"),
    ("[epoch 0/3]\n[epoch 1/3]", "1/3 items", "epoch"),
    // Attempts are not counters.
    ("attempt 1/5\nattempt 2/5\nattempt 3/5\nattempt 4/5", "", ""),
  ])
  func `a bar inside a counter is a share of its step`(
    _ text: String, _ counts: String, _ recogniser: String
  ) {
    let finding = Self.finding([text])
    #expect((finding.map { "\($0.counts)" } ?? "") == counts)
    #expect((finding?.recogniser ?? "") == recogniser)
    #expect(finding?.note == nil)
  }

  @Test(arguments: [
    ("\rPass 1/3 0.52 fps\rPass 2/3 0.71 fps\rPass 2/3 0.72 fps", "1/3 items"),
    // One of two says little.
    (
      "\rPass 1/2 frame 200/199 0.52 fps\rPass 2/2 frame 3/0 0.71 fps\rPass 2/2 frame 4/0 0.7 fps",
      ""
    ),
  ])
  func `a repetition whose line is written over is not over`(_ text: String, _ counts: String) {
    #expect((OutputRecogniser.finding(in: text).map { "\($0.counts)" } ?? "") == counts)
  }

  @Test func `epochs that are counted from zero beside their bar are one more than they say`() {
    func epoch(_ number: Int, to step: Int) -> [String] {
      (0...step).map { "Epoch \(number)/3 ━━ \($0)/60" }
    }
    #expect(Self.finding(epoch(0, to: 30))?.counts == ProgressCounts(hundredths: 1250))
    let last = epoch(0, to: 60) + epoch(3, to: 60)
    #expect(Self.finding(last)?.counts == ProgressCounts(hundredths: 10000))
    // A title before tqdm's bar says how many there are, and so does the command.
    let titled = (0...30).map { "Epoch 0/4: \($0)/60" }
    #expect(Self.finding(titled)?.counts == ProgressCounts(hundredths: 1250))
    #expect(
      OutputRecogniser.finding(
        in: epoch(0, to: 30).joined(separator: "\n") + "\n", command: ["train", "--epochs=3"])?
        .counts == ProgressCounts(hundredths: 1666))
    let told = ["EPOCH 0 - at 10%", "EPOCH 0 - at 20%", "EPOCH 0 - at 50%"].joined(separator: "\n")
    #expect(
      OutputRecogniser.finding(in: told + "\n", command: ["train", "--epochs", "4"])?.counts
        == ProgressCounts(hundredths: 1250))
  }

  @Test func `a bar below that of an epoch does not begin the epoch again`() {
    func training(_ epoch: Int, to step: Int) -> [String] {
      (0...step).map { "Epoch \(epoch)/3 ━━ \($0)/60" }
    }
    let first = training(1, to: 60) + (0...5).map { "Validation ━━ \($0)/10" }
    let within = Self.finding(first)
    #expect(within?.counts == ProgressCounts(hundredths: 3333))
    #expect(within?.note == nil)
    let next = Self.finding(first + training(2, to: 30))
    #expect(next?.counts == ProgressCounts(hundredths: 5000))
    #expect(next?.note == nil)
  }

  @Test func `a search that says it stops has no progress any more`() {
    let steps = (1...6).map { "\t \($0)  /  13" }
    #expect(Self.finding(steps)?.counts == ProgressCounts(completed: 6, total: 13))
    #expect(Self.finding(steps + ["Stopping threshold met -- exiting after 6 iterations"]) == nil)
    #expect(Self.finding(steps + ["stopping server 7"]) != nil)
  }

  @Test func `another number of steps than the command's is that of a stage`() {
    let command = ["python", "-c", "TSNE(n_iter=600).fit(x)"]
    let steps = (1...5).map { "Iteration \($0 * 50), error 0.\($0)" }
    func finding(_ heading: String) -> Finding? {
      OutputRecogniser.finding(
        in: ([heading] + steps).joined(separator: "\n") + "\n", command: command)
    }
    #expect(finding("optimizing for 600 iterations")?.counts.total == 600)
    #expect(finding("optimizing for 250 iterations...") == nil)
    #expect(finding("until scores don't improve for 100 iterations")?.counts.total == 600)
    #expect(finding("Warming up for 100 iterations")?.counts.total == 600)
  }

  @Test func `what begins late and is short is a stage`() {
    var recogniser = OutputRecogniser()
    func second(_ number: Int) -> Instant { Instant(nanoseconds: UInt64(number) * 1_000_000_000) }
    recogniser.read(Array("loading\n".utf8), at: second(0))
    for step in 1...6 {
      recogniser.read(Array("\(step) / 15\n".utf8), at: second(100 + step))
      #expect(recogniser.finding?.isPart ?? true)
    }
    recogniser = OutputRecogniser()
    for step in 1...6 { recogniser.read(Array("\(step) / 15\n".utf8), at: second(100 + step)) }
    #expect(recogniser.finding?.isPart == false)
  }

  @Test func `a heading after two others with shares names a stage`() {
    let (first, second) = (["=== P2 ===", "at 90%"], ["=== A ===", "at 70%"])
    let steps = ["=== B(x, y) ==="] + (1...4).map { "Segments: \($0)/10" }
    #expect(Self.finding(first + second + steps)?.note == "B(x, y)")
    #expect(Self.finding(first + steps)?.note == nil)
    #expect(Self.finding(first + first + first + steps)?.note == nil)
    #expect(Self.finding(["=== Settings ===", "=== Files ==="] + steps)?.note == nil)
    let results = ["=== run 50% ===", "a.py [ 50%]", "=== 9 passed in 3.4s ===", "=== 4 left ==="]
    #expect(Self.finding(results + steps.dropFirst())?.note == nil)
  }

  @Test func `a step that ends is counted before the next one begins`() {
    let lines = ["pass 1/2", "at 10%", "at 20%", "at 99%", "pass 2/2"]
    #expect(Self.finding(lines)?.counts == ProgressCounts(hundredths: 5000))
  }

  @Test func `a bar that begins again is a phase of nobody knows how many`() {
    let round = ["at 10%", "at 20%", "at 60%", "at 100%"]
    #expect(Self.finding(round)?.note == nil)
    let third = Self.finding(round + round + ["at 10%", "at 40%"])
    #expect(third?.note == "phase 3")
    #expect(third?.isPart == true)
    #expect(third?.counts == ProgressCounts(hundredths: 4000))
  }

  @Test(arguments: [
    ("Epoch 2:  10%|#  | 2/20 [00:01<00:02, 9it/s]", "epoch 2"),
    ("Fra:7 Mem:1M | Sample 10/128\nFra:7 Mem:1M | Sample 11/128", "frame 7"),
    (
      (1...4).map { "2026-11-25 08:18:27,251 : EPOCH 2 - at \($0).5% examples" }
        .joined(separator: "\n"), "epoch 2"
    ),
    ((1...4).map { "[08:18:27] INFO - Epoch 2: at \($0)%" }.joined(separator: "\n"), "epoch 2"),
  ])
  func `a repetition of nobody knows how many is told from its first number on`(
    _ text: String, _ note: String
  ) {
    let finding = Self.finding([text])
    #expect(finding?.note == note)
    #expect(finding?.isPart == true)
  }

  @Test func `bars on rows that are counted from the top of the screen are kept apart`() {
    let draws = (1...8).map { step in
      [(23, "Pages", 10), (24, "Words", 20)].map { row, name, total in
        let done = step * total / 10
        return "\u{1B}[\(row);1H\r\u{1B}[K\(name)  \(step)0%|##  | \(done)/\(total) "
          + "[00:0\(step)<00:05, 2.00 x/s]\u{1B}[22;1H"
      }.joined()
    }
    let finding = Self.finding([draws.joined()])
    #expect(finding?.note == nil)
    #expect(finding?.counts == ProgressCounts(hundredths: 8000))
  }

  @Test func `a bar whose total is estimated anew each time is one bar`() {
    let totals = [2440, 2468, 2187, 2026, 1842]
    let draws = totals.enumerated().map { step, total in
      "\r 9%|#   | \((step + 1) * 100)/\(total) [00:0\(step + 1)<00:10, 205.47it/s, nc: \(step)]"
    }
    let finding = Self.finding([draws.joined()])
    #expect(finding?.counts == ProgressCounts(completed: 500, total: 1842))
    #expect(finding?.note?.hasPrefix("phase") != true)
  }

  @Test func `counts on rows beside each other are told as several`() {
    let draws = (1...6).map { step in
      (step > 1 ? "\u{1B}[2A" : "")
        + [60, 90].map { total in
          "\r \(step * 5) / \(total) |: task \(total)\n"
        }.joined()
    }
    #expect(Self.finding([draws.joined()])?.isPart == true)
  }

  @Test func `a count that rises beats a percentage, before and after it`() {
    let percentage = ["at 10%", "at 20%", "at 30%"]
    let count = ["copied 1/8", "copied 2/8"]
    #expect(Self.finding(percentage + count)?.counts == ProgressCounts(completed: 2, total: 8))
    #expect(Self.finding(count + percentage)?.counts == ProgressCounts(completed: 2, total: 8))
  }

  @Test func `a percentage does not follow a count that rests for long`() {
    var recogniser = OutputRecogniser()
    recogniser.read("[1/9] a\n".utf8, at: Instant(nanoseconds: 0))
    recogniser.read(
      "at 10%\nat 20%\nat 30%\n".utf8, at: Instant(nanoseconds: 60_000_000_000))
    #expect(recogniser.finding?.counts == ProgressCounts(completed: 1, total: 9))
  }

  @Test(arguments: [
    "acc 10%", "val_acc: 10%", "accuracy=10%", "Cache usage 10% of 10 GB", "CPU 10%", "GPU 0: 10%",
    "memory 10%", "battery (10%)", "hit ratio 10%", "similarity: 10 %", "confidence 10 percent",
    "load 10%", "10% used", "disk 10% full", "10% of CPU", "10% faster", "big => 10.5%",
    "big ==> 10%", "mem 10/24 GB", "failed 10/40", "retry 10/40",
  ])
  func `what is measured is not done`(_ line: String) {
    let lines = [1, 2, 3, 4, 5].map { line.replacingFirst("10", with: "\(10 + $0)") }
    #expect(Self.finding(lines) == nil)
  }

  @Test(arguments: [
    ("(54.03/100%)", "5403/10000 share"), ("task: 54.17 %", "5417/10000 share"),
    ("54 percent", "5400/10000 share"), ("[54%] EXECUTING", "5400/10000 share"),
    ("<=====----> 54% EXECUTING [2s]", "5400/10000 share"),
    ("54 MB of 100 MB", "54000000/100000000 bytes"),
    ("54.5MiB/100MiB", "57147392/104857600 bytes"), ("54/100 kB", "54000/100000 bytes"),
    ("54,283 / 1,234,567", "54283/1234567 items"), ("(54/100)", "54/100 items"),
    ("54 out of 100 files", "54/100 items"),
  ])
  func `amounts and shares are read however they are written`(_ text: String, _ counts: String) {
    // Where it is drawn over, it may begin anywhere.
    let lines = [51, 52, 54].map { text.replacingFirst("54", with: "\($0)") + "\r" }
    #expect(Self.finding([lines.joined()]).map { "\($0.counts)" } == counts)
  }

  @Test(arguments: [
    "2026/11/54 done", "GET /a/54/99 ok", "at 1.54/99", "54/99x", "v54/99", "54/99/3",
    "54/100 MB/s",
    "5-54/99", "54.5/99.5",
  ])
  func `dates, paths, measures and rates are no counts`(_ text: String) {
    let lines = [51, 52, 53, 54].map { text.replacingFirst("54", with: "\($0)") }
    #expect(Self.finding(lines) == nil)
  }

  @Test func `words that change do not hide a count that rises by one`() {
    let lines = ["bash", "glibc", "zlib", "curl"].enumerated()
      .map { "  Upgrading : \($1)-1.x86 \($0 + 1)/12" }
    #expect(Self.finding(lines)?.counts == ProgressCounts(completed: 4, total: 12))
  }
}

extension String {
  /// With the first occurrence replaced.
  fileprivate func replacingFirst(_ text: String, with other: String) -> String {
    range(of: text).map { replacingCharacters(in: $0, with: other) } ?? self
  }
}
