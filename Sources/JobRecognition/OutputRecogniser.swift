package import JobCore

/// Finds how far a program is in what it writes.
///
/// It is shown the output as it grows, or its newest part. Every form of progress is looked for; the
/// one that was found first stays until it falls silent or is complete, so that the numbers of two
/// programs are not mixed. What the program tells the terminal's taskbar comes before all others.
package struct OutputRecogniser: Sendable {
  /// A recogniser that has said nothing for so long makes room for another.
  static let patience = Span.seconds(10)

  private var lines = OutputLines()
  private var recognisers: [any Recogniser]
  /// From here on the recognisers are guesses: any other that speaks comes first.
  private let guesses: Int
  private var chosen: Int?
  private var spokeAt = Instant(nanoseconds: 0)
  private var usesTaskbar = false
  /// The newest counts and who found them; nil while there are none.
  package private(set) var finding: Finding?

  /// Looks for all known forms.
  package init() {
    recognisers = OutputRecogniser.known
    recognisers.append(PlainPercent())
    recognisers.append(PlainCount())
    guesses = OutputRecogniser.known.count
  }

  /// Looks for one form alone.
  package init(only recogniser: any Recogniser) {
    recognisers = [recogniser]
    guesses = 1
  }

  /// The forms of progress that belong to certain programs, in the order in which they are asked.
  private static let known: [any Recogniser] = [
    RsyncMeter(), CurlMeter(), WgetMeter(), FFmpegStatus(), TqdmBar(), PipBar(), AptSteps(),
    BuildCounter(), CargoBar(), DdStatus(), BuildPercent(), CtestLines(),
  ]

  /// Takes the next piece of the output, seen at `now`.
  package mutating func take(_ bytes: some Sequence<UInt8>, at now: Instant) {
    for element in lines.take(bytes) {
      switch element {
      case .taskbar(let sequence): take(sequence)
      case .line(let line): take(line, at: now)
      }
    }
  }

  /// Something of the output was left out before what comes next.
  package mutating func skip() {
    lines.skip()
  }

  private mutating func take(_ sequence: TaskbarSequence) {
    // A person's own pattern is the only thing to look for.
    guard guesses > 1 else { return }
    switch sequence {
    case .removed: usesTaskbar = false
    case .indeterminate: break
    case .percent(let percent):
      usesTaskbar = true
      finding = Finding(
        counts: ProgressCounts(hundredths: percent * 100), source: .osc, recogniser: "OSC 9;4")
    }
  }

  private mutating func take(_ line: OutputLine, at now: Instant) {
    // All of them hear every line: what they remember must be complete when it is their turn.
    var heard: (index: Int, counts: ProgressCounts)?
    for index in recognisers.indices {
      guard let counts = recognisers[index].take(line) else { continue }
      if index == chosen {
        heard = (index, counts)
      } else if heard == nil, mayTakeOver(index, at: now) {
        heard = (index, counts)
      }
    }
    guard let heard, !usesTaskbar else { return }
    chosen = heard.index
    spokeAt = now
    finding = Finding(
      counts: heard.counts, source: .output, recogniser: recognisers[heard.index].name)
  }

  private func mayTakeOver(_ index: Int, at now: Instant) -> Bool {
    guard let chosen else { return true }
    if chosen >= guesses, index < guesses { return true }
    if now - spokeAt >= Self.patience { return true }
    return finding?.counts.isComplete ?? true && index < guesses
  }
}

/// What was recognised of a program's progress, and by what.
package struct Finding: Hashable, Sendable {
  /// Where it was seen.
  package enum Source: String, Hashable, Sendable {
    /// Terminal progress sequences in the output.
    case osc
    /// Counts in the output.
    case output
    /// The position in a file.
    case file
  }

  package var counts: ProgressCounts
  package var source: Source
  /// What recognised it, as a person is told.
  package var recogniser: String

  package init(counts: ProgressCounts, source: Source, recogniser: String) {
    self.counts = counts
    self.source = source
    self.recogniser = recogniser
  }
}
