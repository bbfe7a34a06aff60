import TestKit

/// The random output of an unknown program, with its true progress.
///
/// Bars with changing words, gauges, items with ratios, phases, several bars at once, and work that continues
/// after all of them. The same seed gives the same output everywhere.
package struct Mixture: Sendable {
  /// Something written at a time, in seconds.
  package struct Piece: Sendable {
    package var time: Double
    package var text: String
    /// It tells how far the program is.
    package var isProgress = false
  }

  /// The true share at a time; between two points of one stretch it grows evenly.
  struct Point {
    var time: Double
    var share: Double
    /// Another stretch has a share of its own.
    var stretch: Int
  }

  /// How a bar is drawn.
  package enum Form: CaseIterable, Sendable {
    case tqdm, percentInPlace, percentLines, countLines, countInPlace, brackets, bytes, ratio
    case backspaces, logged, json, timeLeft, countdown, taskbar, coloured, fraction
  }

  /// What the program does, and tells of it.
  package enum Plot: CaseIterable, Sendable {
    /// One bar from its start to its end.
    case single
    /// One bar that is left before it is complete.
    case abandoned
    /// A number of bars, one after the other, that is told nowhere.
    case phases
    /// The same, with the number of each and of all.
    case epochs
    /// Bars at the same time.
    case several
    /// A bar for each step of another one.
    case nested
    /// Nothing about its progress.
    case none
  }

  package let form: Form
  package let plot: Plot
  package internal(set) var pieces: [Piece] = []
  /// When the program ends, in seconds.
  package internal(set) var end = 0.0
  var points: [Point] = []
  /// Repetitions that are told with their number, and take as long each.
  var epochs = 1
  var generator: SeededGenerator

  package init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    form = generator.pick(Form.allCases)
    plot = generator.pick(Plot.allCases)
    write()
    // Of what is written at the same time, the order stays.
    pieces = pieces.enumerated().sorted {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }.map(\.element)
  }

  private mutating func write() {
    let noise = generator.below(4)
    switch plot {
    case .single: bar(from: 0, lasting: length())
    case .abandoned: bar(from: 0, lasting: length(), upTo: 0.3 + generator.unit() * 0.6)
    case .phases: phases()
    case .epochs: manyEpochs()
    case .several: several()
    case .nested: nested()
    case .none: end = length()
    }
    // Other work follows without output.
    if generator.below(2) == 0 { end += generator.unit() * 20 }
    if noise & 1 != 0 { gauges() }
    if noise & 2 != 0 { items() }
    if plot == .none || generator.below(3) == 0 { chatter() }
    if generator.below(12) == 0 { flood() }
  }

  mutating func length() -> Double { 4 + generator.unit() * 40 }
}

extension Mixture {
  /// The true progress of the reported work.
  package func truth(at time: Double) -> Double {
    guard let next = points.firstIndex(where: { $0.time > time }) else {
      return points.last?.share ?? 0
    }
    guard next > 0 else { return 0 }
    let (before, after) = (points[next - 1], points[next])
    guard before.stretch == after.stretch else { return before.share }
    let part = (time - before.time) / (after.time - before.time)
    return before.share + (after.share - before.share) * part
  }

  /// The most that was true from `begin` to `end`: after the end of one stretch another may have begun.
  package func mostTrue(from begin: Double, to end: Double) -> Double {
    let between = points.filter { $0.time > begin && $0.time < end }.map(\.share)
    return max(truth(at: begin), truth(at: end), between.max() ?? 0)
  }

  /// The true progress of the repetition that the program was in at `told`.
  package func truthOfEpoch(at time: Double, told: Double) -> Double {
    let done = (truth(at: told) * Double(epochs) + 1e-6).rounded(.down)
    return min(1, truth(at: time) * Double(epochs) - done)
  }

  /// The number of the bar at work, from 0, where each has a share of its own.
  package func stretch(at time: Double) -> Int {
    points.last { $0.time <= time }?.stretch ?? 0
  }

  /// Whether this is about the middle of a stretch.
  package func isHalfway(at time: Double) -> Bool {
    let number = stretch(at: time)
    guard let begin = points.first(where: { $0.stretch == number })?.time,
      let end = points.last(where: { $0.stretch == number })?.time
    else { return false }
    return abs(time - (begin + end) / 2) < 2
  }
}

extension SeededGenerator {
  /// 0..<count.
  mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }

  /// 0…1.
  mutating func unit() -> Double { Double(next() >> 11) / Double(1 << 53) }

  mutating func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }
}
