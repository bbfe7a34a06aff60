/// What a program writes beside its progress.
extension Mixture {
  /// Measurements: they go up and down, or only up.
  mutating func gauges() {
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
  mutating func items() {
    let form = generator.below(5)
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
        case 3: "  --> \(name)  -- replaced with \(share)%\n"
        default: "\(name)  120  14  \(share)%\n"
        }
      add(text, at: time)
      time += 0.1 + generator.unit()
    }
  }

  /// Numbers without a relation to progress.
  mutating func chatter() {
    var time = generator.unit()
    while time < end {
      let number = generator.below(100)
      let text = generator.pick([
        "2026-11-24 00:\(10 + number % 50):12 INFO handled /a/\(number)/30\n",
        "warning: retry \(number % 3)/3\n", "got 200 OK in 0.\(number) s\n",
        "version 1.\(number)/2.\(number)\n", "released 11/\(1 + number % 30)\n",
        "took \(number) ms (\(number)% more than before)\n",
        "listening on 0.0.0.0/\(number)\n", "\u{1B}[33mnote\u{1B}[0m: \(number) items pending\n",
        "GET /part/\(number)/100 HTTP/1.1 304\n", "wrote 24 KB of log\n",
      ])
      add(text, at: time)
      time += 0.1 + generator.unit() * 3
    }
  }

  /// So much at once that only its end is read.
  mutating func flood() {
    for _ in 0..<(1 + generator.below(3)) {
      let line = "debug: handled request \(generator.below(100)) of client \(generator.below(9))\n"
      add(
        String(repeating: line, count: 400 + generator.below(1200)), at: generator.unit() * end)
    }
  }

  /// A line between others: a bar that is written over is left where it is, and drawn again below.
  private mutating func add(_ text: String, at time: Double) {
    let isBar = isInPlace || plot == .several || plot == .nested
    pieces.append(Piece(time: time, text: isBar ? "\r\(text)" : text))
  }
}
