import JobCore
import JobRecognition
import Testing

/// Programs with their own notation of progress.
struct Notation: CustomTestStringConvertible, Sendable {
  let testDescription: String
  var command: [String] = []
  var heading = ""
  /// The nth of its lines, from 1.
  let line: @Sendable (Int) -> String
  /// The counts after twelve steps.
  let counts: String
  var note: String?

  static let all = [
    Notation(
      testDescription: "elapsed and remaining",
      line: { "\($0):\tlearn: 0.5\ttotal: \($0 * 200)ms\tremaining: \(Double(40 - $0) / 5)s\n" },
      counts: "3000/10000 share"),
    Notation(
      testDescription: "minutes elapsed, minutes left",
      line: { "\($0) min elapsed, \(36 - $0) min left\n" }, counts: "3333/10000 share"),
    Notation(
      testDescription: "things left",
      line: { "\rETA: 9s Left: \(31 - $0) AVG: 0.50s  local:2/1/1s" },
      counts: "11/30 items"),
    Notation(
      testDescription: "things to go", line: { "\(31 - $0) files to go\n" }, counts: "11/30 items"),
    Notation(
      testDescription: "fits that are announced",
      heading: "Fitting 5 folds for each of 6 candidates, totalling 30 fits\n",
      line: { "[CV] END ......C=\($0 / 5), kernel=linear; total time=   0.\($0)s\n" },
      counts: "12/30 items"),
    Notation(
      testDescription: "TAP", heading: "1..30\n", line: { "ok \($0) - it works\n" },
      counts: "12/30 items"),
    Notation(
      testDescription: "pages that are announced, each named before it is made",
      heading: "Processing pages 1 through 30.\n", line: { "Page \($0)\n" }, counts: "11/30 items"),
    Notation(
      testDescription: "leaps from anywhere, with the time that is left beside them",
      line: { "\($0) s (\(14 + $0 * 6 + $0 % 3 * 2)%) simulated, \(60 - $0 * 4)s remaining\n" },
      counts: "8600/10000 share"),
    Notation(
      testDescription: "tests in Rust", heading: "running 30 tests\n",
      line: { "test module::case_\($0) ... ok\n" }, counts: "12/30 items"),
    Notation(
      testDescription: "done out of",
      line: { "[Parallel(n_jobs=2)]: Done  \($0 * 3) out of  40 | elapsed: 9s\n" },
      counts: "36/40 items"),
    Notation(
      testDescription: "done and at work", line: { "\r[Stage 4:===>      (\($0) + 2) / 40]" },
      counts: "12/40 items", note: "stage 4"),
    Notation(
      testDescription: "number, total and name", line: { "\($0) 40 /home/me/page-0\($0).ppm\n" },
      counts: "12/40 items"),
    Notation(
      testDescription: "a time beside the percentage",
      line: { "\($0 * 2).50% 0:00:\(40 - $0) + /home/me/\($0).bin\n" }, counts: "2450/10000 share"),
    Notation(
      testDescription: "rounds whose number stands in the command",
      command: ["python", "-c", "xgboost.train(p, d, num_boost_round=50)"],
      line: { "[\($0 - 1)]\ttrain-rmse:0.\(900 - $0)\n" }, counts: "11/50 items"),
    Notation(
      testDescription: "epochs whose number stands in the command",
      command: ["python", "train.py", "--epochs", "50"],
      line: { "Epoch \($0): loss 0.\(900 - $0)\n" }, counts: "12/50 items"),
    Notation(
      testDescription: "a table whose rows are counted in the command",
      command: ["python", "-c", "fit(n_estimators=100, verbose=1)"],
      heading: "      Iter       Train Loss   Remaining Time\n",
      line: { "         \($0)           1.\(900 - $0)           \(40 - $0).04s\n" },
      counts: "12/100 items"),
  ]
}

@Suite struct StatedProgressTests {
  private static func finding(
    _ command: [String] = [], _ heading: String = "", _ lines: [String]
  ) -> Finding? {
    var recogniser = OutputRecogniser(command: command)
    recogniser.read(heading.utf8, at: Instant(nanoseconds: 1))
    for (second, line) in lines.enumerated() {
      recogniser.read(line.utf8, at: Instant(nanoseconds: UInt64(second + 1) * 1_000_000_000))
    }
    return recogniser.finding
  }

  @Test(arguments: Notation.all)
  func `what a program says in its own notation is understood`(_ notation: Notation) {
    let found = Self.finding(notation.command, notation.heading, (1...12).map(notation.line))
    #expect(found.map { "\($0.counts)" } == notation.counts)
    #expect(found?.note == notation.note)
  }

  @Test(
    arguments: [
      // A queue.
      { "\(20 + $0 * 7 % 5) jobs left\n" },
      // Times, bytes and attempts are no things.
      { "\(60 - $0) seconds left\n" }, { "\(9 - $0 % 9) retries remaining\n" },
      { "total: 5 remaining: \(40 - $0)x\n" },
      // A listing with a column that stays.
      { "\($0) 40 nothing\n" },
    ] as [@Sendable (Int) -> String])
  func `what only looks like it is left alone`(_ line: @Sendable (Int) -> String) {
    #expect(Self.finding([], "", (1...12).map(line)) == nil)
  }

  @Test func `a number that the command names twice is no total`() {
    let lines = (1...12).map { "Epoch \($0): loss 0.\(900 - $0)\n" }
    #expect(Self.finding(["a", "--epochs", "20", "--epochs=30"], "", lines) == nil)
  }

  @Test
  func
    `repetitions that come before those of the command are counted with them, so that there is no total`()
  {
    let lines = (1...12).map { "[\($0)] loss 0.\(900 - $0)\n" }
    #expect(Self.finding(["a", "--n_iter=30"], "", lines)?.counts.total == 30)
    #expect(Self.finding(["a", "--n_iter=30", "--init_points=5"], "", lines) == nil)
    #expect(Self.finding(["a", "--n_iter", "30", "--burn-in", "5"], "", lines) == nil)
  }

  @Test(arguments: [
    ("make all; make check", true), ("cd a && make && make check", true),
    ("for i in a b; do curl -O $i; done", true), ("pv a > b\nddrescue b c", true),
    ("cd a && make", false), ("A=1 exec make 2>&1 | tee log", false),
    ("for i in 1 2; do sleep 1; echo $i/2; done", false), ("serve & make", false),
    ("make 'all; check'", false),
  ])
  func `what one of several commands tells is a phase from its beginning`(
    _ list: String, _ isPart: Bool
  ) {
    let found = Self.finding(["/bin/sh", "-ec", list], "", ["[1/9] a\n", "[2/9] b\n"])
    #expect(found?.note == (isPart ? "phase 1" : nil))
    #expect(found?.isPart == isPart)
  }

  @Test func `amounts that grow in turns are one sum, and shares are told as several`() {
    let lines = (1...6).map { step in
      "[#a1 \(step) MB/10 MB(\(step * 10)%)]\n[#b2 \(step) MB/10 MB(\(step * 10)%)]\n[#c3 \(step) MB/10 MB(\(step * 10)%)]\n"
    }
    let found = Self.finding([], "", lines)
    #expect(found?.counts == ProgressCounts(completed: 16_000_000, total: 30_000_000, unit: .bytes))
    let rows = (1...6).map { step in
      "\u{1B}[s\u{1B}[2A\u{1B}[1Gone  \(step)% [>\u{1B}[u\u{1B}[s\u{1B}[1A\u{1B}[1Gtwo  \(step * 2)% [>\u{1B}[u"
    }
    #expect(Self.finding([], "\n\n\n", rows)?.note == "2 at once")
  }

  @Test func `what names one of the inputs is the progress of that one, unless it grows on`() {
    let command = ["sum", "part-1", "part-2"]
    func lines(_ shares: [Int], _ name: String) -> [String] {
      shares.map { "\r/home/me/\(name) \($0)MB of 60MB done" }
    }
    let found = Self.finding(command, "", lines([1, 20, 40], "part-1"))
    #expect(found?.note == "part-1")
    #expect(found?.isPart == true)
    let next = Self.finding(
      command, "", lines([1, 20, 40, 59], "part-1") + lines([2, 30], "part-2"))
    #expect(next?.note == "part-2")
    let all = Self.finding(command, "", lines([1, 20], "part-1") + lines([40, 50], "part-2"))
    #expect(all?.note == nil)
  }

  @Test func `a file in a folder of the command that begins a redrawn line is one of several`() {
    let lines = (1...6).map { "\rt/first.t .. \($0)/12 " }
    #expect(Self.finding(["prove", "t"], "", lines)?.note == "t/first.t")
    #expect(Self.finding(["prove", "t/"], "", lines)?.note == "t/first.t")
    #expect(Self.finding(["prove", "other"], "", lines)?.note == nil)
    // Lines that follow each other count all files, as pytest's do.
    let rows = (1...6).map { "t/\($0).t .. \($0)/12\n" }
    #expect(Self.finding(["prove", "t"], "", rows)?.note == nil)
  }

  @Test func `a count that stops short while other lines follow is no progress until it goes on`() {
    var recogniser = OutputRecogniser()
    func read(_ text: String, _ second: Int) {
      recogniser.read(text.utf8, at: Instant(nanoseconds: UInt64(second) * 1_000_000_000))
    }
    for step in 1...6 { read("\t \(step)  /  15\n", step) }
    read("\tStopping threshold met\nlooking for edges\n", 7)
    #expect(recogniser.finding?.counts == ProgressCounts(completed: 6, total: 15))
    read("building the index\n", 40)
    #expect(recogniser.finding == nil)
    for step in 7...8 { read("\t \(step)  /  15\n", 40 + step) }
    #expect(recogniser.finding?.counts == ProgressCounts(completed: 8, total: 15))
  }
}
