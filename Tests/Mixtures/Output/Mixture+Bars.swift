extension Mixture {
  /// The words of one bar.
  struct Wording {
    /// They may change from line to line.
    var changes: Bool
    var noun: String
    var verb: String
    var prefix = ""
  }

  /// One state of a bar.
  struct Look {
    var done: UInt64
    var total: UInt64
    /// Seconds since the bar began.
    var elapsed: Double
    /// Seconds that it takes in all.
    var length: Double
    var words: String
  }

  /// Words that a program without measures has.
  static let names = [
    "alpha", "beta.txt", "img_04.png", "src/core/run.c", "chr7", "batch-b", "lib/parse.rs",
    "Zürich",
  ]

  /// A bar is written over in place, not on a line after the other.
  var isInPlace: Bool {
    switch form {
    case .tqdm, .percentInPlace, .countInPlace, .backspaces, .coloured: true
    case .percentLines, .countLines, .brackets, .bytes, .ratio, .logged, .json, .timeLeft,
      .countdown, .taskbar, .fraction:
      false
    }
  }

  mutating func wording() -> Wording {
    Wording(
      changes: generator.below(2) == 0,
      noun: generator.pick(["", "rows", "files", "tiles", "records"]),
      verb: generator.pick(["", "Working", "loading", "Rendering scene", "progress:"]))
  }

  /// One bar from 0 to its whole, or to `last` of it; `stretch`: the shares of all work that it covers.
  mutating func bar(
    from begin: Double, lasting length: Double, total given: UInt64? = nil, upTo last: Double = 1,
    in stretch: (from: Double, to: Double) = (0, 1), number: Int = 0
  ) {
    let total = given ?? UInt64(5 + generator.below(2000))
    let looks = 6 + generator.below(80)
    let wording = wording()
    // A program that tells how long it will take must go at an even pace to be right.
    let isEven = form == .timeLeft || generator.below(2) == 0
    let times = moments(looks, over: length, isEven: isEven)
    for look in 0...looks {
      let share = Double(look) / Double(looks) * last
      // The count is rounded down, so that it is never ahead of the truth.
      let done = UInt64(share * Double(total))
      let time = begin + times[look]
      points.append(
        Point(
          time: time, share: stretch.from + (stretch.to - stretch.from) * share, stretch: number))
      let words = wording.changes && look > 0 ? word(look) : wording.verb
      let state = Look(
        done: done, total: total, elapsed: times[look], length: length / last, words: words)
      tell(wording.prefix + line(state, wording), at: time)
    }
    if isInPlace { tell("\n", at: begin + length) }
    if form == .taskbar { tell("\u{1B}]9;4;0;\u{7}", at: begin + length) }
    end = max(end, begin + length)
  }

  /// When each look at a bar comes, in seconds after its beginning.
  private mutating func moments(_ looks: Int, over length: Double, isEven: Bool) -> [Double] {
    let steps = (0..<looks).map { _ in isEven ? 1 : 0.2 + generator.unit() * 2 }
    let all = steps.reduce(0, +)
    var times = steps.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1 / all * length) }
    // The last is on time, whatever the sum is rounded to.
    times[looks] = length
    return times
  }

  mutating func tell(_ text: String, at time: Double) {
    pieces.append(Piece(time: time, text: text, isProgress: true))
  }

  private func line(_ look: Look, _ wording: Wording) -> String {
    let (done, total, words) = (look.done, look.total, look.words)
    let percent = done * 100 / total
    let (verb, noun) = (wording.verb, wording.noun)
    switch form {
    case .tqdm: return "\r" + Self.tqdm(done, total, look.elapsed, words)
    case .percentInPlace: return "\r\(words) \(percent)% [####   ] \(Int(look.elapsed)) s"
    case .percentLines: return "\(verb) \(percent)%\n"
    case .countLines: return "\(verb) \(done)/\(total) \(noun)\n"
    case .countInPlace: return "\r\(words) \(done)/\(total) \(noun)"
    case .brackets: return "[\(done)/\(total)] \(words)\n"
    case .bytes: return "\(verb) \(done) MB of \(total) MB\n"
    case .ratio: return "\(verb) (\(done)/\(total), \(percent)%)\n"
    case .backspaces: return String(repeating: "\u{8}", count: 8) + "\(Self.padded(percent)) %   "
    case .logged: return "2026-11-24 00:10:12,345 INFO \(verb) \(done)/\(total) \(noun)\n"
    case .json: return "{\"step\":\(done),\"total\":\(total),\"loss\":0.\(done)}\n"
    case .timeLeft:
      let left = max(0, look.length - look.elapsed)
      return "\(verb) elapsed: \(Int(look.elapsed))s, remaining: \(Int(left.rounded(.up)))s\n"
    case .countdown: return "\(total - done) \(noun.isEmpty ? "items" : noun) left\n"
    case .taskbar: return "\u{1B}]9;4;1;\(percent)\u{7}"
    case .coloured:
      let clock = "\u{1B}[36m0:00:\(10 + percent % 50)\u{1B}[0m"
      let share = "\u{1B}[35m\(percent)%\u{1B}[0m"
      return "\r\u{1B}[2K\(words) \u{1B}[32m━━━━━\u{1B}[0m \(share) \(clock)"
    case .fraction: return "\(verb) \(done) of \(total) \(noun.isEmpty ? "steps" : noun) done\n"
    }
  }

  private static func padded(_ number: UInt64) -> String {
    String(repeating: " ", count: number < 10 ? 2 : number < 100 ? 1 : 0) + String(number)
  }

  static func tqdm(_ done: UInt64, _ total: UInt64, _ elapsed: Double, _ words: String) -> String {
    let (minutes, seconds) = (Int(elapsed) / 60, Int(elapsed) % 60)
    let clock = "\(minutes < 10 ? "0" : "")\(minutes):\(seconds < 10 ? "0" : "")\(seconds)"
    let head = words.isEmpty ? "" : "\(words): "
    return "\(head)\(done * 100 / total)%|###   | \(done)/\(total) [\(clock)<00:09, 3.20it/s]"
  }

  func word(_ look: Int) -> String {
    "loss 0.\(900 - look * 3) \(Self.names[look % Self.names.count])"
  }
}
