import JobCore
import JobRecognition
import TestKit

/// The random output of an unknown program, with its true progress.
///
/// Bars with changing words, gauges, items with ratios, phases, several bars at once, and work that continues
/// after all of them.
struct Mixture {
  /// Something written at a time, in seconds.
  struct Piece {
    var time: Double
    var text: String
  }

  /// One stretch of work: its share grows evenly from `begin` to `end`.
  struct Stretch {
    var begin: Double
    var end: Double
    /// The shares of all work that it begins and ends with, as far as the program tells how much there is.
    var from = 0.0
    var to = 1.0
  }

  private(set) var pieces: [Piece] = []
  private(set) var stretches: [Stretch] = []
  private(set) var end = 0.0
  /// How the bar is drawn.
  let form: Form
  let plot: Plot
  private var generator: SeededGenerator
  /// Words that a program without measures has.
  private static let names = [
    "alpha", "beta.txt", "img_04.png", "src/core/run.c", "chr7", "batch-b", "lib/parse.rs",
    "Zürich",
  ]

  enum Form: CaseIterable {
    case tqdm, percentInPlace, percentLines, countLines, countInPlace, brackets, bytes, ratio
  }

  enum Plot: CaseIterable {
    case single, phases, epochs, several, nested, none
  }

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    form = generator.pick(Form.allCases)
    plot = generator.pick(Plot.allCases)
    write()
    pieces.sort { $0.time < $1.time }
  }

  /// The true progress of the reported work.
  func truth(at time: Double) -> Double {
    guard let stretch = stretches.last(where: { $0.begin <= time }) else { return 0 }
    guard time < stretch.end else { return stretch.to }
    let part = (time - stretch.begin) / (stretch.end - stretch.begin)
    return stretch.from + (stretch.to - stretch.from) * part
  }

  private mutating func write() {
    let noise = generator.below(4)
    switch plot {
    case .single: bar(from: 0, lasting: length())
    case .phases:
      for _ in 0..<(2 + generator.below(3)) {
        bar(from: end, lasting: length(), total: 20 + UInt64(generator.below(300)))
        end += generator.unit() * 3
      }
    case .epochs: epochs()
    case .several: several()
    case .nested: nested()
    case .none: end = length()
    }
    // Other work follows without output.
    if generator.below(2) == 0 { end += generator.unit() * 20 }
    if noise & 1 != 0 { gauges() }
    if noise & 2 != 0 { items() }
    if plot == .none || generator.below(3) == 0 { chatter() }
  }

  private mutating func length() -> Double { 4 + generator.unit() * 40 }

  /// One bar, from 0 to its whole.
  private mutating func bar(
    from begin: Double, lasting length: Double, total given: UInt64? = nil, prefix: String = "",
    in stretch: (Double, Double) = (0, 1)
  ) {
    let total = given ?? UInt64(5 + generator.below(2000))
    let looks = 6 + generator.below(80)
    let changes = generator.below(2) == 0
    let noun = generator.pick(["", "rows", "files", "tiles", "records"])
    let verb = generator.pick(["", "Working", "loading", "Rendering scene", "progress:"])
    stretches.append(Stretch(begin: begin, end: begin + length, from: stretch.0, to: stretch.1))
    for look in 0...looks {
      let share = Double(look) / Double(looks)
      let time = begin + length * share
      let done = UInt64(share * Double(total))
      let words = changes && look > 0 ? word(look) : verb
      pieces.append(
        Piece(time: time, text: prefix + line(done, total, time - begin, words, verb, noun)))
    }
    if isInPlace { pieces.append(Piece(time: begin + length, text: "\n")) }
    end = max(end, begin + length)
  }

  private var isInPlace: Bool {
    switch form {
    case .tqdm, .percentInPlace, .countInPlace: true
    case .percentLines, .countLines, .brackets, .bytes, .ratio: false
    }
  }

  /// `words` may change from line to line, `verb` does not.
  private func line(
    _ done: UInt64, _ total: UInt64, _ elapsed: Double, _ words: String, _ verb: String,
    _ noun: String
  ) -> String {
    let percent = done * 100 / total
    switch form {
    case .tqdm: return "\r" + Self.tqdm(done, total, elapsed, words)
    case .percentInPlace: return "\r\(words) \(percent)% [####   ] \(Int(elapsed)) s"
    case .percentLines: return "\(verb) \(percent)%\n"
    case .countLines: return "\(verb) \(done)/\(total) \(noun)\n"
    case .countInPlace: return "\r\(words) \(done)/\(total) \(noun)"
    case .brackets: return "[\(done)/\(total)] \(words)\n"
    case .bytes: return "\(verb) \(done) MB of \(total) MB\n"
    case .ratio: return "\(verb) (\(done)/\(total), \(percent)%)\n"
    }
  }

  private static func tqdm(
    _ done: UInt64, _ total: UInt64, _ elapsed: Double, _ words: String
  ) -> String {
    let seconds = Int(elapsed)
    let clock =
      "\(seconds / 60 < 10 ? "0" : "")\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
    let head = words.isEmpty ? "" : "\(words): "
    return "\(head)\(done * 100 / total)%|###   | \(done)/\(total) [\(clock)<00:09, 3.20it/s]"
  }

  private func word(_ look: Int) -> String {
    "loss 0.\(900 - look * 3) \(Self.names[look % Self.names.count])"
  }

  /// The program prints the number of epochs.
  private mutating func epochs() {
    let count = 2 + generator.below(6)
    let each = length() / 2
    let total = UInt64(10 + generator.below(200))
    for epoch in 1...count {
      let begin = end
      pieces.append(Piece(time: begin, text: "Epoch \(epoch)/\(count)\n"))
      bar(
        from: begin, lasting: each, total: total,
        in: (Double(epoch - 1) / Double(count), Double(epoch) / Double(count)))
    }
  }

  /// Bars that live at the same time, each at its own pace, on rows of their own.
  private mutating func several() {
    let count = 2 + generator.below(3)
    let total = UInt64(20 + generator.below(300))
    let lengths = (0..<count).map { _ in length() }
    let longest = lengths.max() ?? 1
    let step = 0.2 + generator.unit()
    var time = 0.0
    // The sum of bars of different pace is no straight line.
    while time <= longest + step {
      for (row, length) in lengths.enumerated() {
        let share = min(1, time / length)
        if share == 1, time - step > length { continue }
        let done = UInt64(share * Double(total))
        pieces.append(
          Piece(
            time: time,
            text: String(repeating: "\n", count: row) + "\r"
              + Self.tqdm(done, total, min(time, length), "worker \(row)")
              + (row > 0 ? "\u{1B}[\(row)A" : "")))
      }
      time += step
    }
    var begin = 0.0
    var before = 0.0
    for end in lengths.sorted() where end > begin {
      let after = lengths.map { min(1, end / $0) }.reduce(0, +) / Double(count)
      stretches.append(Stretch(begin: begin, end: end, from: before, to: after))
      (begin, before) = (end, after)
    }
    pieces.append(Piece(time: longest + step, text: String(repeating: "\n", count: count)))
    end = longest + step
  }

  /// An outer bar, and an inner one below it for each of its steps.
  private mutating func nested() {
    let count = 2 + generator.below(8)
    let total = UInt64(5 + generator.below(100))
    let each = length() / 4
    stretches.append(Stretch(begin: 0, end: each * Double(count)))
    for step in 0..<count {
      let begin = each * Double(step)
      pieces.append(
        Piece(time: begin, text: "\r" + Self.tqdm(UInt64(step), UInt64(count), begin, "all")))
      for look in 0...10 {
        let done = UInt64(Double(look) / 10 * Double(total))
        let text = Self.tqdm(done, total, each * Double(look) / 10, word(look))
        pieces.append(
          Piece(time: begin + each * Double(look) / 10 * 0.99, text: "\n\r\(text)\u{1B}[A"))
      }
    }
    end = each * Double(count)
    pieces.append(
      Piece(time: end, text: "\r" + Self.tqdm(UInt64(count), UInt64(count), end, "all") + "\n\n"))
  }

  /// Measurements: they go up and down, or only up.
  private mutating func gauges() {
    let name = generator.pick([
      "gpu util", "mem", "CPU", "cache hit", "mfu", "val_acc", "heap used", "f1", "disk usage",
    ])
    let isCount = generator.below(4) == 0
    let rises = generator.below(2) == 0
    var value = 2 + Double(generator.below(40))
    var time = generator.unit()
    while time < end {
      let shown = Int(min(99, max(0, value)))
      let text =
        isCount
        ? "\(shown)/100 connections\n" : "\(name)\(generator.below(2) == 0 ? ":" : "") \(shown)%\n"
      add(text, at: time)
      value += rises ? generator.unit() * 2 : generator.unit() * 20 - 10
      time += 0.2 + generator.unit() * 2
    }
  }

  /// One item after the other, each with its own figure.
  private mutating func items() {
    let form = generator.below(4)
    var time = generator.unit()
    var number = 0
    while time < end {
      number += 1
      let name = "\(generator.pick(Self.names))\(number)"
      let share = generator.below(100)
      let text =
        switch form {
        case 0: "  adding: \(name) (deflated \(share)%)\n"
        case 1: "\(name) 100x200 24bit [OK] 900 --> 800 bytes (\(share)%), optimized.\n"
        case 2: "\(name): EM \(share)% F1 \(generator.below(100))%\n"
        default: "\(name)  120  14  \(share)%\n"
        }
      add(text, at: time)
      time += 0.1 + generator.unit()
    }
  }

  /// Numbers without a relation to progress.
  private mutating func chatter() {
    var time = generator.unit()
    while time < end {
      let number = generator.below(100)
      let text = generator.pick([
        "2026-11-24 00:\(10 + number % 50):12 INFO handled /a/\(number)/30\n",
        "warning: retry \(number % 3)/3\n", "got 200 OK in 0.\(number) s\n",
        "version 1.\(number)/2.\(number)\n", "released 11/\(1 + number % 30)\n",
        "took \(number) ms (\(number)% more than before)\n",
      ])
      add(text, at: time)
      time += 0.1 + generator.unit() * 3
    }
  }

  /// A line between others: a bar that is written over is left where it is, and drawn again below.
  private mutating func add(_ text: String, at time: Double) {
    pieces.append(
      Piece(time: time, text: isInPlace || plot == .several || plot == .nested ? "\r\(text)" : text)
    )
  }
}

extension SeededGenerator {
  /// 0..<count.
  mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }

  /// 0…1.
  mutating func unit() -> Double { Double(next() >> 11) / Double(1 << 53) }

  mutating func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }
}
