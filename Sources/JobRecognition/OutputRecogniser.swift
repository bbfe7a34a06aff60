package import JobCore

/// Finds how far a program is in what it writes.
///
/// It is shown the output as it grows, or its newest part. Every form of progress is looked for; the
/// one that was found first stays until it falls silent or is complete, so that the numbers of two
/// programs are not mixed. What the program tells the terminal's taskbar comes before all others.
package struct OutputRecogniser: Sendable {
  /// A recogniser that has said nothing for so long makes room for another.
  static let timeout = Interval.seconds(10)
  /// One that stands still this many times as long as ever before is left, if others move.
  private static let restFactor: UInt64 = 3
  /// Moves of another that are no accident.
  private static let enoughMoves = 3

  private var lines = OutputLines()
  private var recognisers: [any Recogniser]
  /// As they were before the first line.
  private let fresh: [any Recogniser]
  /// From here on the recognisers are guesses: any other that speaks comes first.
  private let guesses: Int
  private var chosen: Int?
  private var spokeAt = Instant(nanoseconds: 0)
  /// When what is shown grew last, the longest that this ever took, and how often others have since.
  private var movedAt = Instant(nanoseconds: 0)
  private var longestRest = Interval.zero
  private var moves = 0
  private var otherMoves = 0
  private var otherLines = 0
  private var usesTaskbar = false
  private var outer: OuterCounters
  private let told: ToldTotals
  private var inputs: InputNames
  private var phases: Phases
  /// The job's command is a list of several, of which each tells for itself.
  let hasManyCommands: Bool
  /// The newest counts and who found them; nil while there are none.
  package private(set) var finding: Finding?

  /// Looks for all known forms.
  ///
  /// `command`: that of the job, which may say how often something is repeated.
  package init(command: [String] = []) {
    told = ToldTotals(command)
    inputs = InputNames(command)
    outer = OuterCounters(told: told)
    hasManyCommands = ShellList.isMany(command)
    phases = Phases(areMany: hasManyCommands)
    recognisers = OutputRecogniser.known
    guesses = recognisers.count
    // A count of what is done is surer than a percentage of anything.
    recognisers.append(PlainCount())
    recognisers.append(PlainPercent())
    recognisers.append(TimeShare())
    recognisers.append(Countdown())
    fresh = recognisers
  }

  /// Looks for one form alone.
  package init(only recogniser: any Recogniser) {
    told = ToldTotals()
    inputs = InputNames([])
    outer = OuterCounters()
    hasManyCommands = false
    phases = Phases()
    recognisers = [recogniser]
    fresh = recognisers
    guesses = 1
  }

  /// The forms of progress that belong to certain programs, in the order in which they are asked.
  private static let known: [any Recogniser] = [
    RsyncMeter(), CurlMeter(), WgetMeter(), FFmpegStatus(), TqdmBar(), PipBar(), AptSteps(),
    BuildCounter(), CargoBar(), DdStatus(), BuildPercent(), CtestLines(), GdalTicks(), GitPhases(),
    JestSummary(), ImageLayers(), JSONReport(), AnnouncedItems(),
  ]

  /// In place of a recogniser's: counters of repetitions.
  private static let outerIndex = -1

  /// Whether a person's own pattern, or make's plan, is the only thing to look for.
  private var isAlone: Bool { recognisers.count == 1 }

  /// Takes the next piece of the output, seen at `now`.
  package mutating func read(_ bytes: some Sequence<UInt8>, at now: Instant) {
    for element in lines.read(bytes) {
      switch element {
      case .taskbar(let sequence): read(sequence)
      case .line(let line): read(line, at: now)
      }
    }
  }

  /// Something of the output was left out before what comes next.
  package mutating func skip() {
    lines.skip()
    for index in recognisers.indices { recognisers[index].skip() }
  }

  private mutating func read(_ sequence: TaskbarSequence) {
    guard !isAlone else { return }
    switch sequence {
    case .removed: usesTaskbar = false
    case .indeterminate: break
    case .percent(let percent):
      usesTaskbar = true
      finding = Finding(
        counts: ProgressCounts(hundredths: percent * 100), source: .osc, recogniser: "OSC 9;4",
        note: phases.note)
      finding?.isPart = phases.note != nil
    }
  }

  /// Another attempt begins: what the previous one said no longer counts.
  private mutating func restart() {
    recognisers = fresh
    chosen = nil
    usesTaskbar = false
    outer = OuterCounters(told: told)
    phases = Phases(areMany: hasManyCommands)
    (moves, otherMoves, longestRest) = (0, 0, .zero)
    finding = nil
  }

  private mutating func read(_ line: OutputLine, at now: Instant) {
    if line.isAttemptHeading { return restart() }
    // All of them hear every line: what they remember must be complete when it is their turn.
    let counted = !isAlone && outer.read(line)
    if counted, outer.hasMoved {
      for index in recognisers.indices { recognisers[index].beginRound() }
    }
    var heard: (index: Int, counts: ProgressCounts)?
    for index in recognisers.indices {
      let counts = recognisers[index].read(line)
      if index == chosen, recognisers[index].isMistaken { forget() }
      guard let counts else { continue }
      if index == chosen {
        if heard.map({ !mayReplace(index, by: $0.index) }) ?? true { heard = (index, counts) }
      } else if heard == nil, mayTakeOver(index, at: now) {
        heard = (index, counts)
      } else {
        otherMoves += 1
      }
    }
    guard !usesTaskbar else { return }
    otherLines += heard == nil && !line.isRedrawn ? 1 : 0
    if heard == nil, finding?.isPart == true, otherLines >= Self.enoughMoves, isOver(at: now) {
      forget()
    }
    if let heard {
      settle(heard.index, heard.counts, on: line, beside: counted, at: now)
    } else if counted {
      settleOuter(line)
    }
  }

  /// What was shown was no progress.
  private mutating func forget() {
    chosen = nil
    if !usesTaskbar { finding = nil }
  }

  /// Takes over what a recogniser has heard.
  ///
  /// `beside`: its line holds an outer counter, too.
  private mutating func settle(
    _ index: Int, _ counts: ProgressCounts, on line: OutputLine, beside: Bool, at now: Instant
  ) {
    // What was guessed before a program that is known spoke was not its progress, nor was the
    // percentage that happened to grow before the count did.
    if let chosen, chosen >= guesses, index < chosen,
      index < guesses || moves < Self.enoughMoves
    {
      phases = Phases(areMany: hasManyCommands)
    }
    note(counts, of: index, at: now)
    var finding = Finding(counts: counts, source: .output, recogniser: recognisers[index].name)
    finding.line = line.shown
    var bar = recognisers[index].bar
    if recognisers[index].isInner, !outer.isEmpty, counts.total > 0 {
      outer.settle(beside: beside)
      finding.counts = outer.share(inner: counts.fraction)
      finding.recogniser = "\(outer.name), \(finding.recogniser)"
      bar = 0
    }
    judge(&finding, by: index, bar: bar, on: line)
    self.finding = finding
  }

  /// Remembers when what is shown moved.
  private mutating func note(_ counts: ProgressCounts, of index: Int, at now: Instant) {
    spokeAt = now
    if index != chosen {
      (moves, otherMoves, otherLines) = (0, 0, 0)
      (longestRest, movedAt) = (.zero, now)
    } else if counts != finding?.counts {
      moves += 1
      (otherMoves, otherLines) = (0, 0)
      longestRest = max(longestRest, now - movedAt)
      movedAt = now
    }
    chosen = index
  }

  /// Finds out what the counts are a part of; nothing: of the whole, as far as anybody can tell.
  private mutating func judge(
    _ finding: inout Finding, by index: Int, bar: Int, on line: OutputLine
  ) {
    guard !isAlone else { return }
    if let part = recognisers[index].part {
      finding.note = part
    } else if recognisers[index].isInner, outer.isEmpty, let name = OuterCounters.uncounted(line) {
      finding.note = name
    } else {
      let number = phases.number
      finding.counts = phases.read(finding.counts, by: index, bar: bar)
      finding.note =
        inputs.name(on: line, hasBegunAgain: phases.number > number) ?? phases.note
    }
    finding.isPart = finding.note != nil
  }

  /// A repetition has begun or is over, and nothing inside it was heard.
  private mutating func settleOuter(_ line: OutputLine) {
    let isInner = chosen.map { recognisers[$0].isInner } ?? true
    guard isInner else { return }
    outer.noteAlone(line)
    let counts = finding?.counts.unit == .share ? outer.share(inner: 0) : outer.alone
    guard outer.hasMoved, let counts else { return }
    let shown = phases.read(counts, by: Self.outerIndex, bar: 0)
    var finding = Finding(
      counts: shown, source: .output, recogniser: outer.name, note: phases.note)
    finding.isPart = finding.note != nil
    finding.line = line.shown
    self.finding = finding
  }

  /// A count replaces a percentage, whichever came first.
  private func mayReplace(_ index: Int, by other: Int) -> Bool {
    index >= guesses && other < index
  }

  private func mayTakeOver(_ index: Int, at now: Instant) -> Bool {
    guard let chosen else { return true }
    if mayReplace(chosen, by: index) { return true }
    let counts = finding?.counts ?? ProgressCounts(completed: 0)
    if counts.isComplete, index < guesses { return true }
    if isLeft(at: now) { return true }
    // A percentage beside a count is one of something else, however slow the steps are.
    guard now - spokeAt >= Self.timeout else { return false }
    return index < guesses || counts.total == 0 || counts.isComplete
  }

  /// A part that stands still for much longer than ever before, while something else is told.
  private func isOver(at now: Instant) -> Bool {
    let rest = Interval(nanoseconds: longestRest.nanoseconds * Self.restFactor)
    return moves >= 2 && now - movedAt > max(Self.timeout, rest)
  }

  /// What is shown stands still for much longer than ever before, while others move.
  private func isLeft(at now: Instant) -> Bool {
    guard moves >= 2, otherMoves >= Self.enoughMoves else { return false }
    let rest = Interval(nanoseconds: longestRest.nanoseconds * Self.restFactor)
    return now - movedAt > max(Self.timeout, rest)
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
  /// What a person must know to read the counts: `round 3`, `read all of big.bin`.
  package var note: String?
  /// The counts cover one part of an unknown number, so they say nothing about the time left.
  package var isPart = false
  /// The line that told it; nil where no line did.
  package var line: String?

  package init(
    counts: ProgressCounts, source: Source, recogniser: String, note: String? = nil
  ) {
    self.counts = counts
    self.source = source
    self.recogniser = recogniser
    self.note = note
  }
}
